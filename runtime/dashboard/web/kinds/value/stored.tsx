import type { Field } from "../../api/client/types.js";
import { fileOf } from "../../api/records/descriptors.js";
import type { CellProps } from "../kind.js";
import { plain } from "./blank.js";

/** Shows an upload by its name. */
export function nameOf({ field, row }: Pick<CellProps, "field" | "row">): string {
  const details = fileOf(field, row);
  return details?.name ?? plain(row[field.name]).split("/").at(-1) ?? "";
}

export function printUpload(_: Field, value: unknown): string {
  return plain(value);
}

/** Lists can be filtered by whether there is an upload, and by nothing else of it. */
export const uploadFilter = {
  operators: [],
  accepts: () => false,
  words: () => null,
  choice: () => null,
  suited: () => "",
  typing: null,
  since: null,
  within: null,
} as const;

export const asksForUpload = ({ name }: Field) => [name, `${name}File`];
