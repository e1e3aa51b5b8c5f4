import { z } from "zod";
import type { JsonSchema } from "../../runtime/values/json-schema/schema.js";
import { schemaValidator } from "../../runtime/values/json-schema/validate.js";
import { maxJsonBytes, storedJsonIssues } from "../../runtime/values/stored-json/rules.js";
import type { Literal } from "../text/typescript.js";
import { plainText, type TextForm } from "./column/conversion.js";
import { movable } from "./column/row.js";
import type { CommonField } from "./field.js";
import { type Kind, kindDefaults, type Schema } from "./kind.js";
import { commonOptions, flag, unicode } from "./option/options.js";
import { findsPattern } from "./option/pattern.js";
import { inlined } from "./schema/inlined.js";
import { timestampType } from "./timestamp.js";

export interface JsonField extends CommonField {
  readonly kind: "json";
  readonly default: Literal;
  /** Whether an index supports `has`. */
  readonly isIndexed: boolean;
  /** The JSON Schema of values; null if any value is allowed. */
  readonly schema: Literal;
}

const options = z
  .strictObject({
    ...commonOptions,
    default: z
      .custom<Literal>((value) => storedJsonIssues(value).length === 0, "cannot be stored as JSON")
      .meta({ hint: "write a value of at most 32 levels and 65536 bytes, such as { city: Oslo }" })
      .optional()
      .describe("Used when a record is created without the field."),
    schema: unicode
      .min(1, "must be the path of a file")
      .max(1000, "must be the path of a file")
      .meta({ hint: "write ./schemas/address.json" })
      .optional()
      .describe(
        "The file with the JSON Schema (2020-12) of values, relative to the app's folder: ./schemas/address.json.",
      ),
    index: flag
      .optional()
      .describe(
        "Whether an index speeds up `has`, which finds records by what their values contain. Default: false.",
      ),
  })
  .describe("Any JSON value: an object, a list, a text, a number or a boolean.");

/** `content` is the content of the file in `schema`. */
type JsonOptions = z.output<typeof options> & { readonly content?: Literal };

/** Name of the schema of any JSON value in `openapi.json`. */
export const jsonSchemaName = "JsonValue";

/** Any JSON value except null, which means that the field is empty. */
export const json: Kind<JsonField, JsonOptions> = {
  ...kindDefaults,
  name: "json",
  otherNames: {
    jsonb: "{ type: json }",
    object: "{ type: json }",
    map: "{ type: json }",
    array: "{ type: json }",
  },
  example: "{ type: json }",
  options,
  field: (common, written) => ({
    ...common,
    kind: "json",
    default: written.default ?? null,
    isIndexed: written.index ?? false,
    schema: written.content ?? null,
  }),
  describe: (field) => ({ index: field.isIndexed || null, schema: shownSchema(field) }),
  typescript: ({ schema }) =>
    schema === null ? { runtimeName: "JsonValue" } : { schema: inlined(schema as JsonSchema) },
  schema: (field) => ({
    shown: describedSchema(field) ?? { $ref: `#/components/schemas/${jsonSchemaName}` },
    example:
      field.default ??
      (field.schema === null ? { city: "Oslo" } : exampleOf(field.schema as JsonSchema)),
  }),
  validation: ({ schema }) => ({
    validator: "json",
    argument: schema === null ? null : { schema },
  }),
  condition: null,
  hasMembers: true,
  title: null,
  sql: ({ schema }) => ({
    type: "jsonb",
    check: null,
    ...(schema !== null && { schema: schema as JsonSchema }),
  }),
  runtimeColumn: ({ kind }, stored) => ({ kind: stored === "json" ? "plainJson" : kind }),
  memberIndex: ({ isIndexed }) => isIndexed,
  keyBytes: () => null,
  unindexedHint: "leave it out: JSON is not compared as a whole",
  inRow: () => movable,
  words: () => "a JSON value",
  textForm: () => jsonText,
  convert: ({ type }) => {
    const jsonOf = type.startsWith("numeric") ? trimmed : values[type];
    return jsonOf === undefined
      ? null
      : { value: (value) => `to_jsonb(${jsonOf(value)})`, readable: null };
  },
};

/** The schema as one object, without references. */
function shownSchema({ schema }: JsonField): Schema | null {
  if (schema === null) return null;
  const whole = inlined(schema as JsonSchema);
  return typeof whole === "boolean" ? {} : (whole as Schema);
}

/** The schema for `openapi.json`, where an optional field adds null to its `type`. */
function describedSchema(field: JsonField): Schema | null {
  const whole = shownSchema(field);
  if (whole === null) return null;
  const isOfOneType = typeof whole.type === "string" && !judgesNull.some((word) => word in whole);
  return isOfOneType ? whole : { allOf: [whole] };
}

/** Keywords that validate values of any type, including null. */
const judgesNull = ["enum", "const", "allOf", "anyOf", "oneOf", "not", "if"];

/** Returns the first valid example in the schema; null if there is none. */
function exampleOf(schema: JsonSchema): Literal {
  if (typeof schema === "boolean" || !Array.isArray(schema.examples)) return null;
  const judge = schemaValidator(schema, findsPattern);
  const found: unknown = schema.examples.find((one) => one !== null && judge(one).length === 0);
  return (found ?? null) as Literal;
}

/**
 * The string form of a JSON value; that of a JSON string has no quotes. Other kinds are converted through this form.
 */
const jsonText: TextForm = {
  ...plainText,
  write: (value) =>
    `case jsonb_typeof(${value}) when 'string' then ${value} #>> '{}' else ${value}::text end`,
  read: {
    value: (text) => `nullif(${text}::jsonb, 'null')`,
    readable: (text) =>
      `octet_length(${text}) <= ${maxJsonBytes} and service.reads_as(${text}, 'jsonb')`,
  },
};

/** Returns SQL of a decimal without trailing zeros. */
const trimmed = (value: string) => `trim_scale(${value})`;

/** Types whose values can all be converted to JSON, with the SQL of the conversion. */
const values: Readonly<Record<string, (value: string) => string>> = {
  bigint: (value) => value,
  "double precision": (value) => value,
  boolean: (value) => value,
  date: (value) => value,
  uuid: (value) => value,
  [timestampType]: (value) =>
    `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};
