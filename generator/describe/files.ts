import type { Schema } from "../kind/kind.js";
import { fileExample } from "./examples/examples.js";
import { exampleRefs } from "./examples/refs.js";

/** The raw bytes of an upload. */
export const fileBody: Schema = { $ref: "#/components/requestBodies/File" };

/** `components.requestBodies` */
export const sharedBodies: Schema = {
  File: {
    required: true,
    content: { "application/octet-stream": { schema: {}, examples: exampleRefs(fileExample) } },
  },
};

/** The parameter of `?name=tea.jpg`. */
export const nameParameter: Schema = {
  name: "name",
  in: "query",
  required: true,
  description: "The file's name.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};
