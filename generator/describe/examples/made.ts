import type { Schema } from "../../kind/kind.js";
import type { Literal } from "../../text/typescript.js";

/** Input for example values: the referenced schemas, and strings by key name. */
export interface Material {
  readonly schemas: Schemas;
  readonly words: Readonly<Record<string, string>>;
  readonly records: Readonly<Record<string, Schema>>;
}

/** `components.schemas`. */
export type Schemas = Readonly<Record<string, Schema>>;

export const uuidExample = "019c0e2a-3c5e-7d41-9b1a-52f0c7a8e600";
export const timeExample = "2026-01-31T09:30:00.000Z";

const byFormat: Readonly<Record<string, string>> = {
  uuid: uuidExample,
  "date-time": timeExample,
  date: "2026-01-31",
  email: "name@example.com",
};

/** The numbers of a page with one record. */
const numbers: Readonly<Record<string, number>> = { page: 1, perPage: 25, total: 1, totalPages: 1 };

/** Returns a value that satisfies a schema: its own example, or one derived from its names. */
export function madeOf(schema: Schema, name: string, material: Material): Literal {
  const { const: fixed, enum: values, examples, $ref: ref, type, format } = schema;
  if (Array.isArray(examples)) return examples[0] ?? null;
  if (typeof ref === "string") return madeOfNamed(ref.split("/").at(-1) ?? "", name, material);
  const { anyOf, allOf, properties, items } = schema;
  if (Array.isArray(anyOf)) return isSchema(anyOf[0]) ? madeOf(anyOf[0], name, material) : null;
  if (fixed !== undefined) return fixed;
  if (Array.isArray(values)) return values[0] ?? null;
  const whole = Array.isArray(allOf) ? allOf.map((part) => madeOf(part, name, material)) : [];
  if (isSchema(properties) || whole.length > 0) {
    const own = Object.entries(isSchema(properties) ? properties : {});
    const made = own.map(([key, of]) => [key, isSchema(of) ? madeOf(of, key, material) : null]);
    return Object.assign({}, ...whole, Object.fromEntries(made));
  }
  const [main] = Array.isArray(type) ? type : [type];
  if (main === "boolean") return true;
  if (main === "integer" || main === "number") return numbers[name] ?? 30;
  if (main === "object") return {};
  if (main === "array") return isSchema(items) ? [madeOf(items, name, material)] : [];
  return material.words[name] ?? byFormat[String(format)] ?? name;
}

function madeOfNamed(schema: string, name: string, material: Material): Literal {
  return material.records[schema] ?? madeOf(material.schemas[schema] ?? {}, name, material);
}

export function isSchema(given: Literal | undefined): given is Schema {
  return typeof given === "object" && given !== null && !Array.isArray(given);
}
