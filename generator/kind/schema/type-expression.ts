import type { JsonSchema } from "../../../runtime/values/json-schema/schema.js";
import { join, type Layout } from "../../text/layout.js";
import { stringLiteral } from "../../text/typescript.js";
import { schemaTypes } from "./type.js";

/**
 * The name of a type, the name of a type that the runtime and clients share, a schema, a union of strings, or a list of
 * a type.
 */
export type TypeExpression =
  | { readonly name: string }
  | { readonly runtimeName: string }
  /** The type of the values of an inlined JSON Schema. */
  | { readonly schema: JsonSchema }
  | { readonly union: readonly string[] }
  | { readonly list: TypeExpression };

/** Returns the alternatives of a value's type. `prefix` precedes the names of the runtime's types. */
export function typeTexts(type: TypeExpression, prefix: string): readonly Layout[] {
  if ("name" in type) return [type.name];
  if ("union" in type) return type.union.map(stringLiteral);
  if ("schema" in type) return schemaTypes(type.schema, `${prefix}JsonValue`);
  if ("runtimeName" in type) return [`${prefix}${type.runtimeName}`];
  const [only = "never", ...others] = typeTexts(type.list, prefix);
  return [others.length === 0 ? [only, "[]"] : ["(", join(" | ", [only, ...others]), ")[]"]];
}
