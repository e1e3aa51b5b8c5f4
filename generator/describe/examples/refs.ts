import type { Schema } from "../../kind/kind.js";

/** `{ "$ref": "#/components/examples/Product" }`, below a name that says nothing. */
export function exampleRefs(name: string): Schema {
  return { usual: exampleRef(name) };
}

export function exampleRef(name: string): Schema {
  return { $ref: `#/components/examples/${name}` };
}

/** The name of an answer's example: neither records nor operations have a dot in their names. */
export function answerExample(name: string): string {
  return `answer.${name}`;
}
