import type { Json } from "../http/client.js";
import type { ParsedDocument } from "./document.js";
import type { Random } from "./random.js";

/** A schema of the document, as written. */
export interface Schema {
  readonly [word: string]: unknown;
}

/** Source of values beyond schemas: ids of records and keys of files, by the property's name. */
export type Known = (property: string) => Json | undefined;

export interface ValueMaker {
  readonly document: ParsedDocument;
  readonly random: Random;
  readonly known: Known;
}

/** Depth of conditions and lists of them. */
const maxDepth = 3;

/** The schema of `$ref`, with `allOf` merged. */
export function flat(document: ParsedDocument, schema: Schema): Schema {
  const { $ref, allOf, ...own } = schema;
  if (typeof $ref === "string" && Object.keys(own).length === 0 && allOf === undefined) {
    return flat(document, resolved(document, $ref));
  }
  const parts = [
    ...(typeof $ref === "string" ? [flat(document, resolved(document, $ref))] : []),
    ...((allOf ?? []) as Schema[]).map((part) => flat(document, part)),
    own,
  ];
  if (parts.length === 1) return own;
  const properties: Record<string, Schema> = {};
  for (const part of parts) {
    for (const [name, one] of Object.entries((part.properties ?? {}) as Record<string, Schema>)) {
      const before = Object.hasOwn(properties, name) ? flat(document, properties[name] ?? {}) : {};
      define(properties, name, { ...before, ...one });
    }
  }
  const required = parts.flatMap((part) => (part.required ?? []) as string[]);
  return { ...Object.assign({}, ...parts), properties, required };
}

/** The part of the document that a reference names. */
export function resolved(document: ParsedDocument, pointer: string): Schema {
  let found: unknown = document;
  for (const part of pointer.slice(2).split("/")) {
    found = (found as Schema)[decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return found as Schema;
}

/** A valid value of a schema. */
export function makeValue(maker: ValueMaker, written: Schema, property: string, depth = 0): Json {
  const { document, random, known } = maker;
  const schema = flat(document, written);
  const { anyOf, type, const: only, enum: values } = schema;
  if (only !== undefined) return only as Json;
  if (Array.isArray(values)) return random.pick(values);
  if (Array.isArray(anyOf)) {
    // The first is the plain one: a value, where the other is an object of operators.
    const either = depth >= maxDepth ? anyOf[0] : random.pick(anyOf);
    return makeValue(maker, either, property, depth);
  }
  const given = known(property);
  switch (Array.isArray(type) ? random.pick(type) : type) {
    case "null":
      return null;
    case "boolean":
      return random.chance(0.5);
    case "integer":
      return integer(random, schema);
    case "number":
      return integer(random, schema);
    case "string":
      return given ?? text(maker, schema);
    case "array":
      return list(maker, schema, property, depth);
    case "object":
      return object(maker, schema, depth);
    default:
      return random.text(3);
  }
}

function integer(random: Random, { minimum, maximum }: Schema): number {
  const least = Number(minimum ?? -1000);
  const most = Number(maximum ?? least + 2000);
  if (random.chance(0.1)) return random.pick([least, most]);
  const within = Math.max(least, Math.min(0, most));
  return Math.min(most, within + random.below(Math.min(50, most - within + 1)));
}

function text({ random }: ValueMaker, schema: Schema): string {
  const { format, pattern, minLength, maxLength } = schema;
  switch (format) {
    case "uuid":
      return `00000000-0000-7000-8000-${String(random.below(1e9)).padStart(12, "0")}`;
    case "date":
      return `20${10 + random.below(20)}-0${1 + random.below(9)}-1${random.below(10)}`;
    case "date-time":
      return `2026-0${1 + random.below(9)}-1${random.below(10)}T0${random.below(10)}:30:00.${random.below(900) + 100}Z`;
    case "email":
      return `made-${random.below(1e9)}@example.com`;
    case "uri":
      return `https://example.com/${random.below(1e6)}?a=b`;
  }
  const least = Number(minLength ?? 0);
  const most = Number(maxLength ?? least + 200);
  if (typeof pattern === "string") {
    const tried = Array.from({ length: 20 }, () => random.matching(pattern));
    return tried.find(({ length }) => length >= least && length <= most) ?? "";
  }
  if (random.chance(0.05)) return random.text(Math.min(most, 300));
  return random.text(Math.min(most, least + random.below(12)));
}

function list(maker: ValueMaker, schema: Schema, property: string, depth: number): Json[] {
  const { random } = maker;
  const { items = {}, minItems = 0, maxItems = 3 } = schema;
  const most = Math.min(Number(maxItems), Math.max(Number(minItems), 3));
  const length = Number(minItems) + random.below(most - Number(minItems) + 1);
  const made = Array.from({ length }, () => makeValue(maker, items as Schema, property, depth + 1));
  // `a` and `-a`, or `a` and `a:20`, name one field.
  const isNamed = property === "sort" || property === "fields" || property === "by";
  return isNamed || schema.uniqueItems === true ? distinct(made) : made;
}

function distinct(values: readonly Json[]): Json[] {
  const byName = new Map(
    values.map((value) => [
      typeof value === "string" ? value.replace(/^-|:.*$/g, "") : JSON.stringify(value),
      value,
    ]),
  );
  return [...byName.values()];
}

function object(maker: ValueMaker, schema: Schema, depth: number): Json {
  const { random } = maker;
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = new Set((schema.required ?? []) as string[]);
  const names = Object.keys(properties);
  const optional = names.filter((name) => !required.has(name));
  const few = Number(schema.minProperties ?? 0) + random.below(depth === 0 ? 4 : 2);
  for (let at = 0; at < few && optional.length > 0; at++) required.add(random.pick(optional));
  const made: Record<string, Json> = {};
  const leaves = names.filter((name) => fits(maker, properties[name], depth));
  for (const name of leaves.filter((one) => required.has(one))) {
    define(made, name, makeValue(maker, properties[name] ?? {}, name, depth + 1));
  }
  return made;
}

/** Whether it has a value at that depth: what holds more conditions has none at the last, nor may be empty there. */
function fits({ document }: ValueMaker, schema: Schema = {}, depth: number): boolean {
  if (depth < maxDepth - 1) return true;
  const { type, minProperties } = flat(document, schema);
  if (depth < maxDepth) return type !== "object" || minProperties === undefined;
  return type !== "object" && type !== "array";
}

/** Sets an own property, even `__proto__`. */
function define<Value>(target: Record<string, Value>, name: string, value: Value): void {
  Object.defineProperty(target, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}
