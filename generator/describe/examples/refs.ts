import type { Schema } from "../../kind/kind.js";

/** `{ "$ref": "#/components/examples/Product" }`, under a neutral name. */
export function exampleRefs(name: string): Schema {
  return { usual: exampleRef(name) };
}

export function exampleRef(name: string): Schema {
  return { $ref: `#/components/examples/${name}` };
}

/** Returns the name of a response's example; its dot distinguishes it from records and operations. */
export function answerExample(name: string): string {
  return `answer.${name}`;
}
