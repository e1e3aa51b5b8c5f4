import { type IdType, idForms, wholeId } from "../../../runtime/values/schema/id-types.js";
import type { Schema } from "../kind.js";
import { plainText, reader, type TextForm } from "./conversion.js";
import { numberText } from "./number-conversion.js";

const id = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** The form of a column with record ids. */
export const idText: TextForm = {
  family: "id",
  pattern: id,
  texts: null,
  maxLength: 36,
  write: (value) => `${value}::text`,
  read: reader("uuid", id),
};

/** The form of a column with ids of that SQL type. */
export function idTextOf(type: string): TextForm {
  if (type === "uuid") return idText;
  return type === "bigint" ? numberText(type) : plainText;
}

/** The schema of ids in `openapi.json`. */
export function idSchema(type: IdType): Schema {
  switch (type) {
    case "uuid":
      return { type: "string", format: "uuid" };
    case "integer":
      return { type: "string", pattern: wholeId.source, examples: [idForms.integer.example] };
    case "string":
      return { type: "string", minLength: 1, examples: [idForms.string.example] };
  }
}
