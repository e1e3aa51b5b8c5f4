import { formats } from "./formats.js";
import { isObject } from "./schema.js";

/** Returns the rest of a message that begins with the keyword's name; null if the value is valid. */
type Rule = (value: unknown) => string | null;

const rule =
  (holds: (value: unknown) => boolean, problem: string): Rule =>
  (value) =>
    holds(value) ? null : problem;

const isText = (value: unknown) => typeof value === "string";
const isNumber = (value: unknown) => Number.isFinite(value);
const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;
const isTexts = (value: unknown) =>
  Array.isArray(value) && value.every(isText) && new Set(value).size === value.length;

const anything: Rule = () => null;
const text = rule(isText, "must be a string");
const flag = rule((value) => typeof value === "boolean", "must be true or false");
const number = rule(isNumber, "must be a number");
const count = rule(isCount, "must be a whole number of at least 0");
const texts = rule(isTexts, "must be a list of distinct strings");
const list = rule(Array.isArray, "must be a list");

const types = ["string", "number", "integer", "boolean", "object", "array", "null"];
const isType = (value: unknown) => types.includes(String(value));

/** Rules for the values of keywords that do not contain schemas. */
export const keywordRules: Readonly<Record<string, Rule>> = {
  $schema: rule(
    (value) => /^https:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/.test(String(value)),
    "must be https://json-schema.org/draft/2020-12/schema",
  ),
  $id: text,
  $ref: text,
  $anchor: text,
  $comment: text,
  title: text,
  description: text,
  default: anything,
  examples: list,
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
  type: rule(
    (value) =>
      Array.isArray(value)
        ? value.length > 0 && isTexts(value) && value.every(isType)
        : isType(value),
    `must be one of ${types.join(", ")}, or a list of them`,
  ),
  enum: rule((value) => Array.isArray(value) && value.length > 0, "must be a list of values"),
  const: anything,
  multipleOf: rule((value) => isNumber(value) && Number(value) > 0, "must be a number above 0"),
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  minLength: count,
  maxLength: count,
  pattern: text,
  format: rule(
    (value) => Object.hasOwn(formats, String(value)),
    `must be one of ${Object.keys(formats).join(", ")}`,
  ),
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  minContains: count,
  maxContains: count,
  minProperties: count,
  maxProperties: count,
  required: texts,
  dependentRequired: rule(
    (value) => isObject(value) && Object.values(value).every(isTexts),
    "must be an object whose values are lists of distinct strings",
  ),
};

/** What to use instead of keywords that are unknown, or that cannot be validated. */
export const replacedKeywords: Readonly<Record<string, string>> = {
  unevaluatedProperties: "use additionalProperties next to the properties themselves",
  unevaluatedItems: "use items next to prefixItems",
  definitions: "write $defs",
  dependencies: "write dependentRequired or dependentSchemas",
  additionalItems: "write prefixItems for the first entries, and items for the others",
  $dynamicRef: "write $ref",
  $recursiveRef: "write $ref",
  contentMediaType: "leave it out: the content of strings is not validated",
  contentEncoding: "leave it out: the content of strings is not validated",
  contentSchema: "leave it out: the content of strings is not validated",
  nullable: 'write type: ["string", "null"], for example',
};
