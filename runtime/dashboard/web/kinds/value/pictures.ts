import { pictureFormats } from "../../../../values/files/picture-formats.js";
import type { Field, FileDetails, Row } from "../../api/client/types.js";
import { altOf, fileOf, filePath } from "../../api/records/descriptors.js";
import type { Picture } from "../../parts/file/picture-view.js";

const drawn: readonly string[] = pictureFormats
  .filter(({ isDrawn }) => isDrawn)
  .map(({ type }) => type);

/** The picture of a field; null if there is none. */
export function pictureOf(field: Field, row: Row): Picture | null {
  const details = fileOf(field, row);
  return details === null ? null : pictureIn(details, altOf(field, row) ?? "");
}

export function pictureIn(details: FileDetails, alt: string): Picture {
  const { key, name = key.split("/").at(-1) ?? key, mime, size, width, height } = details;
  const canDraw = mime === undefined || drawn.includes(mime);
  return {
    key,
    name,
    alt,
    shown: canDraw ? filePath(details) : pathOfWidth(details, Number.POSITIVE_INFINITY),
    original: filePath(details),
    pixels: typeof width === "number" && typeof height === "number" ? [width, height] : null,
    bytes: size ?? null,
  };
}

/** The path of the smallest rendition that is at least this wide; else of the widest, or of the file itself. */
export function pathOfWidth(details: FileDetails, least: number): string {
  const made = Object.entries(details.renditions).toSorted(
    ([, one], [, other]) => (one.width ?? 0) - (other.width ?? 0),
  );
  const wide = made.find(([, { width = 0 }]) => width >= least);
  if (wide !== undefined) return filePath(details, wide[0]);
  const isDrawn = details.mime === undefined || drawn.includes(details.mime);
  return isDrawn ? filePath(details) : filePath(details, made.at(-1)?.[0]);
}
