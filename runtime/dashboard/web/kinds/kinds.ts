import type { Field } from "../api/client/types.js";
import { belongsTo } from "./belongs-to.js";
import { boolean } from "./boolean.js";
import { date } from "./date.js";
import { enumeration } from "./enum.js";
import { file } from "./file.js";
import { image } from "./image.js";
import { json } from "./json.js";
import type { Kind } from "./kind.js";
import { galleryOf } from "./list/gallery.js";
import { links } from "./list/links.js";
import { listOf } from "./list/list.js";
import { number } from "./number.js";
import { string } from "./string.js";
import { text } from "./text.js";
import { timestamp } from "./timestamp.js";

/** The kinds of fields by the generator's names; everything that differs by kind is a member here. */
const kinds: Readonly<Record<string, Kind>> = Object.freeze({
  string,
  text,
  number,
  boolean,
  enum: enumeration,
  date,
  timestamp,
  belongsTo,
  links,
  json,
  image,
  file,
});

/** The names of all kinds, in the order of the list. */
export const kindNames: readonly string[] = Object.keys(kinds);

const lists: ReadonlyMap<Kind, Kind> = new Map(
  Object.values(kinds).map((one) => [one, one.isFile ? galleryOf(one) : listOf(one)]),
);

/** The kind of a field. Unknown kinds, from a newer server, are displayed as text. */
export function kindOf({ type, list }: Pick<Field, "type" | "list">): Kind {
  const kind = (Object.hasOwn(kinds, type) ? kinds[type] : undefined) ?? string;
  return list === true ? (lists.get(kind) ?? kind) : kind;
}
