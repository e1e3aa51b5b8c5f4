import type { Schema } from "../../kind/kind.js";

/** `{ "$ref": "#/components/examples/Product" }`, under a neutral name. */
export function exampleRefs(name: string): Schema {
  return { usual: exampleRef(name) };
}

export function exampleRef(name: string): Schema {
  return { $ref: `#/components/examples/${name}` };
}

/** The name of a response's example; the dot keeps it distinct from records and operations. */
export function answerExample(name: string): string {
  return `answer.${name}`;
}
