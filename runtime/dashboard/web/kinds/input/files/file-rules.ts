import { isRunByBrowsers } from "../../../../../values/files/browser-types.js";
import { pictureFormats } from "../../../../../values/files/picture-formats.js";
import type { Field } from "../../../api/client/types.js";
import { en } from "../../../text/en/en.js";
import { enRecord } from "../../../text/en/record.js";
import { size } from "../../../text/format.js";

const pictures = pictureFormats.map(({ type }) => type);
/**
 * Only some servers can decode these. They are not listed, so that phones convert them; if one is chosen nevertheless,
 * the server reports it.
 */
const heic = ["image/heic", "image/heif"];
/** Maximum length of a file name, in code points. */
const longestName = 255;

type FileOf = Pick<Field, "type" | "accept">;

/** Checks a file before it is uploaded; null if there is no problem. The API checks the uploaded file. */
export function fileProblem(
  field: FileOf,
  file: Pick<File, "name" | "type" | "size">,
  most: number | null,
): string | null {
  if (file.size === 0) return enRecord.emptyFile;
  if (most !== null && file.size > most) return enRecord.tooLarge(size(file.size), size(most));
  if ([...file.name].length > longestName) return enRecord.longName;
  // The type is empty if the browser does not know it.
  if (file.type === "" || field.accept === "any") return null;
  if (field.type === "file" && isRunByBrowsers(file.type)) return enRecord.runByBrowsers;
  return isAccepted(field, file.type) ? null : enRecord.notAccepted(kindsOf(field));
}

function isAccepted(field: FileOf, type: string): boolean {
  const accepted = field.type === "image" ? [...pictures, ...heic] : field.accept;
  if (accepted === undefined || accepted === "any") return true;
  return accepted.some((one) =>
    one.endsWith("/*") ? type.startsWith(one.slice(0, -1)) : one === type,
  );
}

/** The `accept` attribute for the browser's own dialog. */
export function acceptOf(field: FileOf): string {
  const accepted = field.type === "image" ? pictures : field.accept;
  return accepted === undefined || accepted === "any" ? "" : accepted.join(",");
}

/** Describes the types that a field accepts: `PDF or images`. */
export function kindsOf(field: FileOf): string {
  if (field.type === "image") return en.common.either(pictureFormats.map(({ name }) => name));
  if (field.accept === undefined) return enRecord.anyFile;
  if (field.accept === "any") return enRecord.everyFile;
  const names = field.accept.map((type) =>
    type.endsWith("/*")
      ? enRecord.anyOf(type.slice(0, -2))
      : (type.split("/")[1] ?? type).replace(/^x-|^vnd\./, "").toUpperCase(),
  );
  return en.common.either(names);
}
