import { reader, type TextForm } from "./conversion.js";

const id = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** The form of a column with ids of records. */
export const idText: TextForm = {
  family: "id",
  pattern: id,
  texts: null,
  maxLength: 36,
  write: (value) => `${value}::text`,
  read: reader("uuid", id),
};
