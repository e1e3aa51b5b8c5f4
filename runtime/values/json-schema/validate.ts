import { valueRequired } from "../rules.js";
import type { JsonIssue } from "../stored-json/rules.js";
import { canonical } from "./equal.js";
import { formats } from "./formats.js";
import { isMultiple } from "./numbers.js";
import { isObject, type JsonSchema, resolvedRef, type SchemaObject } from "./schema.js";

/** Returns whether the text contains a match of the pattern. */
export type Finds = (pattern: string, text: string) => boolean;

/** Returns a function that validates JSON values against a checked schema and returns their mistakes. */
export function schemaValidator(
  root: JsonSchema,
  finds: Finds,
): (value: unknown) => readonly JsonIssue[] {
  return (value) => new Judge(root, finds).judge(root, value, []);
}

type Path = JsonIssue["path"];

class Judge {
  readonly #root: JsonSchema;
  readonly #finds: Finds;

  constructor(root: JsonSchema, finds: Finds) {
    this.#root = root;
    this.#finds = finds;
  }

  judge(schema: unknown, value: unknown, path: Path): readonly JsonIssue[] {
    if (schema === false) return [{ path, message: "Is not allowed" }];
    if (!isObject(schema)) return [];
    const type = typeProblem(schema, value);
    if (type !== null) return [{ path, message: type }];
    return [
      ...[valueProblem(schema, value), this.#textProblem(schema, value)].flatMap((message) =>
        message === null ? [] : [{ path, message }],
      ),
      ...(Array.isArray(value) ? this.#list(schema, value, path) : []),
      ...(isObject(value) ? this.#object(schema, value, path) : []),
      ...this.#combined(schema, value, path),
    ];
  }

  #fits(schema: unknown, value: unknown): boolean {
    return this.judge(schema, value, []).length === 0;
  }

  #textProblem({ pattern }: SchemaObject, value: unknown): string | null {
    if (typeof value !== "string" || typeof pattern !== "string") return null;
    return this.#finds(pattern, value) ? null : `Must match ${pattern}`;
  }

  #list(schema: SchemaObject, value: readonly unknown[], path: Path): readonly JsonIssue[] {
    const { prefixItems, items, contains } = schema;
    const first: readonly unknown[] = Array.isArray(prefixItems) ? prefixItems : [];
    const inside = value.flatMap((one, at) =>
      this.judge(at < first.length ? first[at] : items, one, [...path, at]),
    );
    if (contains === undefined) return inside;
    const found = value.filter((one) => this.#fits(contains, one)).length;
    const least = numberOf(schema.minContains) ?? 1;
    const most = numberOf(schema.maxContains) ?? Number.POSITIVE_INFINITY;
    if (found < least)
      return [...inside, { path, message: `Too few entries match: at least ${least} must` }];
    if (found > most)
      return [...inside, { path, message: `Too many entries match: at most ${most} may` }];
    return inside;
  }

  #object(schema: SchemaObject, value: SchemaObject, path: Path): readonly JsonIssue[] {
    const { properties, patternProperties, additionalProperties, propertyNames } = schema;
    const own = isObject(properties) ? properties : {};
    const patterns = isObject(patternProperties) ? Object.entries(patternProperties) : [];
    const inside = Object.entries(value).flatMap(([key, member]) => {
      const place = [...path, key];
      const matching = patterns.filter(([pattern]) => this.#finds(pattern, key));
      const schemas = [
        ...(Object.hasOwn(own, key) ? [own[key]] : []),
        ...matching.map(([, one]) => one),
      ];
      const isKnown = schemas.length > 0;
      if (!isKnown && additionalProperties === false) return [{ path: place, message: unknown }];
      return [
        ...(isKnown ? schemas : [additionalProperties]).flatMap((one) =>
          this.judge(one, member, place),
        ),
        ...this.judge(propertyNames, key, []).map(({ message }) => ({ path: place, message })),
      ];
    });
    return [...inside, ...missing(schema, value, path), ...this.#dependent(schema, value, path)];
  }

  #dependent({ dependentSchemas }: SchemaObject, value: SchemaObject, path: Path) {
    if (!isObject(dependentSchemas)) return [];
    return Object.entries(dependentSchemas).flatMap(([key, schema]) =>
      Object.hasOwn(value, key) ? this.judge(schema, value, path) : [],
    );
  }

  /** Validates the keywords that apply other schemas to the same value. */
  #combined(schema: SchemaObject, value: unknown, path: Path): readonly JsonIssue[] {
    const { $ref, allOf, anyOf, oneOf, not } = schema;
    const branch = schema.if === undefined || this.#fits(schema.if, value) ? "then" : "else";
    return [
      ...(typeof $ref === "string" ? this.judge(resolvedRef(this.#root, $ref), value, path) : []),
      ...(Array.isArray(allOf) ? allOf.flatMap((one) => this.judge(one, value, path)) : []),
      ...(Array.isArray(anyOf) ? this.#anyOf(anyOf, value, path) : []),
      ...(Array.isArray(oneOf) ? this.#oneOf(oneOf, value, path) : []),
      ...(not !== undefined && this.#fits(not, value) ? [{ path, message: "Is not allowed" }] : []),
      ...(schema.if === undefined ? [] : this.judge(schema[branch], value, path)),
    ];
  }

  #anyOf(schemas: readonly unknown[], value: unknown, path: Path): readonly JsonIssue[] {
    const issues = schemas.map((schema) => this.judge(schema, value, path));
    if (issues.some(({ length }) => length === 0)) return [];
    // The best matching alternative, if the type of the value shows which one is meant.
    const meant = issues.filter((found) => found.every((issue) => issue.path.length > path.length));
    const [only] = meant;
    return meant.length === 1 && only !== undefined ? only : [{ path, message: noForm }];
  }

  #oneOf(schemas: readonly unknown[], value: unknown, path: Path): readonly JsonIssue[] {
    const fitting = schemas.filter((schema) => this.#fits(schema, value)).length;
    if (fitting === 0) return this.#anyOf(schemas, value, path);
    return fitting === 1 ? [] : [{ path, message: "Matches more than one of the allowed forms" }];
  }
}

const unknown = "Unknown field";
const noForm = "Has none of the allowed forms";

function missing(schema: SchemaObject, value: SchemaObject, path: Path): readonly JsonIssue[] {
  const { required, dependentRequired } = schema;
  const dependent = isObject(dependentRequired) ? Object.entries(dependentRequired) : [];
  const needed = [
    required,
    ...dependent.flatMap(([key, keys]) => (Object.hasOwn(value, key) ? [keys] : [])),
  ].flatMap((keys): readonly string[] => (Array.isArray(keys) ? keys : []));
  return [...new Set(needed)]
    .filter((key) => !Object.hasOwn(value, key))
    .map((key) => ({ path: [...path, key], message: valueRequired }));
}

const typeWords: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "a whole number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

function typeProblem({ type }: SchemaObject, value: unknown): string | null {
  if (type === undefined) return null;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.some((one) => isOfType(value, one))) return null;
  return `Must be ${types.map((one) => typeWords[String(one)] ?? String(one)).join(" or ")}`;
}

function isOfType(value: unknown, type: unknown): boolean {
  if (value === null) return type === "null";
  if (Array.isArray(value)) return type === "array";
  if (typeof value === "number") {
    return type === "number" || (type === "integer" && Number.isInteger(value));
  }
  return typeof value === type;
}

function valueProblem(schema: SchemaObject, value: unknown): string | null {
  const { enum: values, const: constant } = schema;
  const text = values === undefined && constant === undefined ? "" : canonical(value);
  if (constant !== undefined && canonical(constant) !== text) {
    return `Must be ${JSON.stringify(constant)}`;
  }
  if (Array.isArray(values) && !values.some((one) => canonical(one) === text)) {
    return `Must be one of: ${values.map(plain).join(", ")}`;
  }
  if (typeof value === "number") return numberProblem(schema, value);
  if (typeof value === "string") return lengthProblem(schema, value);
  if (Array.isArray(value)) return countProblem(schema, value);
  return isObject(value) ? propertiesProblem(schema, value) : null;
}

function plain(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function numberProblem(schema: SchemaObject, value: number): string | null {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (typeof minimum === "number" && value < minimum) return `Must be at least ${minimum}`;
  if (typeof maximum === "number" && value > maximum) return `Must be at most ${maximum}`;
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum) {
    return `Must be greater than ${exclusiveMinimum}`;
  }
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum) {
    return `Must be less than ${exclusiveMaximum}`;
  }
  if (typeof multipleOf === "number" && !isMultiple(value, multipleOf)) {
    return `Must be a multiple of ${multipleOf}`;
  }
  return null;
}

function lengthProblem(schema: SchemaObject, value: string): string | null {
  const { minLength, maxLength, format } = schema;
  const length = [...value].length;
  if (typeof minLength === "number" && length < minLength) {
    return minLength === 1 ? "Text may not be empty" : `At least ${minLength} characters`;
  }
  if (typeof maxLength === "number" && length > maxLength) return `At most ${maxLength} characters`;
  const known =
    typeof format === "string" && Object.hasOwn(formats, format) ? formats[format] : null;
  return known && !known.holds(value) ? known.expected : null;
}

function countProblem(schema: SchemaObject, value: readonly unknown[]): string | null {
  const { minItems, maxItems, uniqueItems } = schema;
  if (typeof minItems === "number" && value.length < minItems)
    return `At least ${minItems} entries`;
  if (typeof maxItems === "number" && value.length > maxItems) return `At most ${maxItems} entries`;
  const isRepeated = uniqueItems === true && new Set(value.map(canonical)).size < value.length;
  return isRepeated ? "No entry may be repeated" : null;
}

function propertiesProblem(schema: SchemaObject, value: SchemaObject): string | null {
  const { minProperties, maxProperties } = schema;
  const count = Object.keys(value).length;
  if (typeof minProperties === "number" && count < minProperties)
    return `At least ${minProperties} keys`;
  if (typeof maxProperties === "number" && count > maxProperties)
    return `At most ${maxProperties} keys`;
  return null;
}

function numberOf(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
