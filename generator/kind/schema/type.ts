import {
  isObject,
  type JsonSchema,
  type SchemaObject,
} from "../../../runtime/values/json-schema/schema.js";
import type { Layout } from "../../text/layout.js";
import { propertyKey, stringLiteral, typeLiteral, union } from "../../text/typescript.js";

/**
 * Returns the TypeScript types of an inlined schema's non-null values, as a union; `any` is the type of any JSON value.
 */
export function schemaTypes(schema: JsonSchema, any: string): readonly Layout[] {
  const types = typesOf(schema, any).filter((type) => type !== "null");
  return types.length === 0 ? ["never"] : types;
}

function typesOf(schema: unknown, any: string): readonly Layout[] {
  if (!isObject(schema)) return [schema === false ? "never" : any];
  const { enum: values, const: constant, anyOf, oneOf, allOf } = schema;
  if (constant !== undefined) return literalTypes([constant], any);
  if (Array.isArray(values)) return literalTypes(values, any);
  const alternatives = [anyOf, oneOf].find(Array.isArray);
  const own = schema.type !== undefined || schema.properties !== undefined;
  if (!own && Array.isArray(allOf) && allOf.length === 1) return typesOf(allOf[0], any);
  if (!own && alternatives !== undefined) {
    return distinct(alternatives.flatMap((one) => typesOf(one, any)));
  }
  const { type = schema.properties === undefined ? [] : "object" } = schema;
  const words: readonly unknown[] = Array.isArray(type) ? type : [type];
  return words.length === 0
    ? [any]
    : distinct(words.map((word) => typeOf(String(word), schema, any)));
}

function typeOf(word: string, schema: SchemaObject, any: string): Layout {
  switch (word) {
    case "object":
      return objectType(schema, any);
    case "array":
      return listType(elementTypes(schema, any));
    case "integer":
      return "number";
    default:
      return word;
  }
}

function listType(types: readonly Layout[]): Layout {
  const [only] = types;
  const isWord = types.length === 1 && typeof only === "string" && /^[\w.]+$/.test(only);
  return isWord ? `${only}[]` : ["(", union(types), ")[]"];
}

function elementTypes({ items, prefixItems }: SchemaObject, any: string): readonly Layout[] {
  const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
  const rest = items === false ? [] : [items ?? true];
  return distinct([...first, ...rest].flatMap((one) => typesOf(one, any)));
}

function objectType(schema: SchemaObject, any: string): Layout {
  const { properties, required, additionalProperties, patternProperties } = schema;
  const known = isObject(properties) ? Object.entries(properties) : [];
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  if (known.length === 0) {
    const value = patternProperties === undefined ? (additionalProperties ?? true) : true;
    return ["Record<string, ", union(typesOf(value, any)), ">"];
  }
  return typeLiteral(
    known.map(([name, one]) => [
      `${propertyKey(name)}${needed.includes(name) ? "" : "?"}: `,
      union(typesOf(one, any)),
    ]),
  );
}

function literalTypes(values: readonly unknown[], any: string): readonly Layout[] {
  return distinct(
    values.map((value) => {
      if (typeof value === "string") return stringLiteral(value);
      return typeof value === "object" && value !== null ? any : String(value);
    }),
  );
}

/** Removes types with the same text. */
function distinct(types: readonly Layout[]): readonly Layout[] {
  const seen = new Set<string>();
  return types.filter((type) => {
    const text = JSON.stringify(type);
    return !seen.has(text) && seen.add(text);
  });
}
