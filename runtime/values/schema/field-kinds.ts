/** The names of all kinds of fields, as in `type: string`; what each means is in the generator. */
export const fieldKinds = [
  "string",
  "text",
  "number",
  "boolean",
  "enum",
  "date",
  "timestamp",
  "belongsTo",
  "image",
  "file",
] as const;

export type FieldKind = (typeof fieldKinds)[number];
