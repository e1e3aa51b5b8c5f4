/** Names of all kinds of fields, as in `type: string`; the generator defines their meaning. */
export const fieldKinds = [
  "string",
  "text",
  "number",
  "boolean",
  "enum",
  "date",
  "timestamp",
  "belongsTo",
  "links",
  "json",
  "image",
  "file",
] as const;

export type FieldKind = (typeof fieldKinds)[number];
