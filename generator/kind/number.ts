import { z } from "zod";
import { exactDigits } from "../../runtime/values/decimal.js";
import { type Bound, between } from "../../runtime/values/schema/check.js";
import { type Operand, plainOperand } from "../expression/operand.js";
import { maxPlainKeyBytes } from "./column/key.js";
import { convertNumber, numberText, numberWords } from "./column/number-conversion.js";
import { movable } from "./column/row.js";
import type { CommonField } from "./field.js";
import { type ColumnDefinition, type Kind, kindDefaults, type Schema } from "./kind.js";
import { single } from "./list/options.js";
import { computedOptions } from "./option/computed.js";
import { checkNumber, type Precision, precisionOf } from "./option/number-rules.js";
import { commonOptions, number as finite, flag, unique, wholeNumber } from "./option/options.js";

export interface NumberField extends CommonField {
  readonly kind: "number";
  readonly unique: boolean;
  readonly default: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly precision: Precision;
  /** Number of decimal places; only meaningful for `decimal`, otherwise 0. */
  readonly decimals: number;
}

const options = z
  .strictObject({
    ...commonOptions,
    ...computedOptions,
    ...single,
    unique,
    default: finite.optional().describe("Used when a record is created without the field."),
    min: finite.optional().describe("The minimum value."),
    max: finite.optional().describe("The maximum value."),
    integer: flag
      .optional()
      .describe(
        "Whole numbers only, within ±9007199254740991. Cannot be combined with decimals. Default: false.",
      ),
    decimals: wholeNumber(0, exactDigits, "write decimals: 2, for example")
      .optional()
      .describe(
        "An exact decimal with this number of decimal places and at most 15 digits; a value with more places is refused.",
      ),
  })
  .describe("A JSON number: a double, an exact integer, or an exact decimal.");

type NumberOptions = z.output<typeof options>;

/** Kinds of columns that existed before the app, if their type differs from that of other such fields. */
const adoptedKinds: Readonly<Record<string, string>> = {
  "double as real": "real",
  "integer as bigint": "bigInteger",
  "integer as integer": "int4",
  "integer as smallint": "int2",
};

/** A JSON number: an exact integer, an exact decimal, or a double. */
export const number: Kind<NumberField, NumberOptions> = {
  ...kindDefaults,
  name: "number",
  otherNames: {
    decimal: "{ type: number, decimals: 2 }",
    double: "{ type: number }",
    float: "{ type: number }",
    int: "{ type: number, integer: true }",
    integer: "{ type: number, integer: true }",
  },
  canBeListed: true,
  example: "{ type: number, min: 0, decimals: 2 }",
  options,
  check: checkNumber,
  field(common, written) {
    return {
      ...common,
      kind: "number",
      unique: written.unique ?? false,
      default: written.default ?? null,
      min: written.min ?? null,
      max: written.max ?? null,
      precision: precisionOf(written),
      decimals: written.decimals ?? 0,
    };
  },
  describe({ min, max, precision, decimals }) {
    return {
      min,
      max,
      ...(precision === "integer" && { integer: true }),
      ...(precision === "decimal" && { decimals }),
    };
  },
  isAddable: true,
  typescript: () => ({ name: "number" }),
  schema: (field) => ({
    shown: { type: field.precision === "integer" ? "integer" : "number" },
    rules: boundsSchema(field),
    example: field.default ?? Math.max(field.min ?? 0, Math.min(1, field.max ?? 1)),
  }),
  validation(field) {
    const argument = {
      ...(field.precision === "decimal" ? { decimals: field.decimals } : {}),
      ...(field.min === null ? {} : { min: field.min }),
      ...(field.max === null ? {} : { max: field.max }),
    };
    return {
      validator: field.precision === "double" ? "number" : field.precision,
      argument: Object.keys(argument).length === 0 ? null : argument,
    };
  },
  computing: { operand: operandOf, result: resultOf },
  condition: {
    comparisons: "order",
    shared: { name: "NumberCondition", value: { type: "number" } },
    type: "NumberCondition",
  },
  aggregations: ({ precision }) => [
    "total",
    "extreme",
    ...(precision === "integer" ? (["value"] as const) : []),
  ],
  sql: columnOf,
  runtimeColumn: ({ precision }, stored) => ({
    kind: adoptedKinds[`${precision} as ${stored}`] ?? precision,
  }),
  keyBytes: () => maxPlainKeyBytes,
  inRow: ({ decimals }) => (decimals === undefined ? { bytes: 8, alignment: 8 } : movable),
  words: numberWords,
  textForm: numberText,
  convert: convertNumber,
};

/** Number of digits of the largest double, and of decimal places of the smallest. */
const doubleSize = { digits: 309, places: 342 };

/** Returns the operand of a field. Expressions compute exactly, with the digits of a double in JSON. */
function operandOf({ precision, decimals }: NumberField): Operand {
  switch (precision) {
    case "integer": {
      const operand = plainOperand("number", { digits: 16 });
      return { ...operand, sql: (column) => `${column}::numeric` };
    }
    case "decimal":
      return plainOperand("number", { digits: exactDigits, places: decimals });
    case "double":
      return { ...plainOperand("number", doubleSize), sql: (column) => `${column}::text::numeric` };
    default:
      return precision satisfies never;
  }
}

function resultOf({ precision, decimals }: NumberField, sql: string): string {
  switch (precision) {
    case "integer":
      return `service.computed_integer(${sql})`;
    case "decimal":
      return `service.computed_decimal(${sql}, ${decimals})`;
    case "double":
      return `service.computed_double(${sql})`;
    default:
      return precision satisfies never;
  }
}

function boundsSchema({ min, max, precision, decimals }: NumberField): Schema {
  const isInteger = precision === "integer";
  const minimum = min ?? (isInteger ? Number.MIN_SAFE_INTEGER : null);
  const maximum = max ?? (isInteger ? Number.MAX_SAFE_INTEGER : null);
  return {
    ...(minimum === null ? {} : { minimum }),
    ...(maximum === null ? {} : { maximum }),
    // Not multipleOf: validators divide doubles, and reject 4.35 as not a multiple of 0.01.
    ...(precision === "decimal" ? { "x-decimals": decimals } : {}),
  };
}

function columnOf({ precision, decimals, min, max }: NumberField): ColumnDefinition {
  switch (precision) {
    case "integer": {
      const least = min ?? Number.MIN_SAFE_INTEGER;
      const greatest = max ?? Number.MAX_SAFE_INTEGER;
      return { type: "bigint", check: between(String(least), String(greatest)) };
    }
    case "decimal": {
      // NaN is greater than every number, so an upper limit excludes it too.
      const upper: Bound =
        max === null ? { operator: "<>", value: "'NaN'" } : { operator: "<=", value: String(max) };
      const lower: Bound | null = min === null ? null : { operator: ">=", value: String(min) };
      const type = `numeric(${exactDigits + decimals}, ${decimals})`;
      return { type, check: { rule: "range", lower, upper } };
    }
    case "double": {
      const lower: Bound =
        min === null
          ? { operator: ">", value: "'-Infinity'" }
          : { operator: ">=", value: String(min) };
      const upper: Bound =
        max === null
          ? { operator: "<", value: "'Infinity'" }
          : { operator: "<=", value: String(max) };
      return { type: "double precision", check: { rule: "range", lower, upper } };
    }
    default:
      return precision satisfies never;
  }
}
