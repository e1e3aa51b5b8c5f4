/** A JSON Schema (2020-12) that was already checked with `schemaMistakes`. */
export type JsonSchema = boolean | SchemaObject;

export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

/** The schemas inside a keyword's value, and whether they apply to the same value as the keyword. */
export interface Inner {
  readonly path: readonly (string | number)[];
  readonly schema: unknown;
  readonly isInPlace: boolean;
}

type Form = "schema" | "list" | "map";

/** Keywords whose values contain schemas. */
const applicators: Readonly<Record<string, { readonly form: Form; readonly isInPlace: boolean }>> =
  {
    $defs: { form: "map", isInPlace: false },
    properties: { form: "map", isInPlace: false },
    patternProperties: { form: "map", isInPlace: false },
    dependentSchemas: { form: "map", isInPlace: true },
    prefixItems: { form: "list", isInPlace: false },
    allOf: { form: "list", isInPlace: true },
    anyOf: { form: "list", isInPlace: true },
    oneOf: { form: "list", isInPlace: true },
    items: { form: "schema", isInPlace: false },
    contains: { form: "schema", isInPlace: false },
    additionalProperties: { form: "schema", isInPlace: false },
    propertyNames: { form: "schema", isInPlace: false },
    not: { form: "schema", isInPlace: true },
    if: { form: "schema", isInPlace: true },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { form: "schema", isInPlace: true },
    else: { form: "schema", isInPlace: true },
  };

/** The form in which the keyword contains schemas; null for other keywords. */
export function formOf(keyword: string): Form | null {
  return Object.hasOwn(applicators, keyword) ? (applicators[keyword]?.form ?? null) : null;
}

/** The schemas directly inside a schema, except for keywords whose values have the wrong form. */
export function innerSchemas(schema: SchemaObject): readonly Inner[] {
  return Object.entries(schema).flatMap(([keyword, value]): readonly Inner[] => {
    if (!Object.hasOwn(applicators, keyword)) return [];
    const { form, isInPlace } = applicators[keyword] ?? { form: "schema", isInPlace: false };
    if (form === "schema") return [{ path: [keyword], schema: value, isInPlace }];
    if (form === "list" ? !Array.isArray(value) : !isObject(value)) return [];
    return Object.entries(value as object).map(([key, one]) => ({
      path: [keyword, form === "list" ? Number(key) : key],
      schema: one,
      isInPlace,
    }));
  });
}

/**
 * The schema to which a `$ref` within the file refers, such as `#/$defs/line` or `#line`; undefined if there is none.
 */
export function resolvedRef(root: unknown, ref: string): unknown {
  if (ref === "#") return root;
  if (!ref.startsWith("#/")) return ref.startsWith("#") ? anchored(root, ref.slice(1)) : undefined;
  let at: unknown = root;
  for (const part of ref.slice(2).split("/")) {
    const key = keyOfRef(part);
    if (typeof at !== "object" || at === null) return undefined;
    if (!Object.hasOwn(at, key)) return undefined;
    at = Reflect.get(at, key);
  }
  return at;
}

/** Decodes a key in a reference. */
export function keyOfRef(part: string): string {
  return decoded(part).replaceAll("~1", "/").replaceAll("~0", "~");
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function anchored(schema: unknown, name: string): unknown {
  if (!isObject(schema)) return undefined;
  if (schema.$anchor === name) return schema;
  for (const { schema: inner } of innerSchemas(schema)) {
    const found = anchored(inner, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function isObject(value: unknown): value is SchemaObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
