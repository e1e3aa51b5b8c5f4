import type { Field } from "../model/model.js";
import { belongsTo } from "./belongs-to.js";
import { boolean } from "./boolean.js";
import { date } from "./date.js";
import { enumeration } from "./enum.js";
import { file } from "./file.js";
import { image } from "./image.js";
import type { Kind } from "./kind.js";
import { number } from "./number.js";
import { string } from "./string.js";
import { text } from "./text.js";
import { timestamp } from "./timestamp.js";

/** Every type of field there is. */
export const kinds: readonly Kind[] = [
  string,
  text,
  number,
  boolean,
  enumeration,
  date,
  timestamp,
  belongsTo,
  image,
  file,
];

/** The kind that a field of the model was made by. */
export function kindOf(field: Field): Kind {
  const kind = kinds.find(({ name }) => name === field.kind);
  if (kind === undefined) {
    throw new Error(`no kind makes fields of type ${field.kind}`);
  }
  return kind;
}
