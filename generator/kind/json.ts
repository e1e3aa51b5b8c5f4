import { z } from "zod";
import { maxJsonBytes, storedJsonIssues } from "../../runtime/values/stored-json/rules.js";
import type { Literal } from "../text/typescript.js";
import { plainText, type TextForm } from "./column/conversion.js";
import { movable } from "./column/row.js";
import type { CommonField } from "./field.js";
import { type Kind, kindDefaults } from "./kind.js";
import { commonOptions, flag } from "./option/options.js";
import { timestampType } from "./timestamp.js";

export interface JsonField extends CommonField {
  readonly kind: "json";
  readonly default: Literal;
  /** Whether an index serves `has`. */
  readonly isIndexed: boolean;
}

const options = z
  .strictObject({
    ...commonOptions,
    default: z
      .custom<Literal>((value) => storedJsonIssues(value).length === 0, "cannot be stored as JSON")
      .meta({ hint: "write a value of at most 32 levels and 65536 bytes, such as { city: Oslo }" })
      .optional()
      .describe("Used when a record is created without the field."),
    index: flag
      .optional()
      .describe(
        "Whether an index finds records by `has`, for what values contain. Default: false.",
      ),
  })
  .describe("Any JSON value: an object, a list, a text, a number or a boolean.");

type JsonOptions = z.output<typeof options>;

/** The schema of any JSON value in `openapi.json`. */
export const jsonSchemaName = "JsonValue";

/** Any JSON value but null, which is the empty value. */
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
  }),
  describe: ({ isIndexed }) => ({ index: isIndexed || null }),
  typescript: () => ({ runtimeName: "JsonValue" }),
  schema: (field) => ({
    shown: { $ref: `#/components/schemas/${jsonSchemaName}` },
    example: field.default ?? { city: "Oslo" },
  }),
  validation: () => ({ validator: "json", argument: null }),
  condition: null,
  hasMembers: true,
  title: null,
  sql: () => ({ type: "jsonb", check: null }),
  memberIndex: ({ isIndexed }) => isIndexed,
  keyBytes: () => null,
  unindexedHint: "leave it out: JSON is not compared as a whole",
  inRow: () => movable,
  words: () => "a JSON value",
  textForm: () => jsonText,
  convert: ({ type }) => {
    const text = valueTexts[type];
    return text === undefined
      ? null
      : { value: (value) => `to_jsonb(${text(value)})`, readable: null };
  },
};

/** JSON as text, and a text without its quotes: other kinds are converted by the texts that they share. */
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

/** SQL of values that are no JSON by their texts alone, by their type. */
const valueTexts: Readonly<Record<string, (value: string) => string>> = {
  date: (value) => value,
  uuid: (value) => value,
  [timestampType]: (value) =>
    `to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
};
