import type { Schema } from "../kind/kind.js";

/** The raw bytes of an upload. */
export const fileBody: Schema = {
  required: true,
  content: { "application/octet-stream": { schema: {} } },
};

/** `?name=tea.jpg` */
export const nameParameter: Schema = {
  name: "name",
  in: "query",
  required: true,
  description: "The file's name.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};
