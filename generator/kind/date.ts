import { z } from "zod";
import { between } from "../../runtime/values/schema/check.js";
import { readDate } from "../../runtime/values/time.js";
import { plainOperand } from "../expression/operand.js";
import { reader } from "./column/conversion.js";
import { maxPlainKeyBytes } from "./column/key.js";
import type { CommonField } from "./field.js";
import { type Kind, kindDefaults } from "./kind.js";
import { single } from "./list/options.js";
import { computedOptions } from "./option/computed.js";
import { commonOptions, unicode, unique } from "./option/options.js";
import { timestampType } from "./timestamp.js";

export interface DateField extends CommonField {
  readonly kind: "date";
  readonly unique: boolean;
  readonly default: string | null;
}

const options = z
  .strictObject({
    ...commonOptions,
    ...computedOptions,
    ...single,
    unique,
    default: unicode
      .refine((text) => readDate(text) !== null, "must be a calendar date: YYYY-MM-DD")
      .meta({ hint: "write a fixed date, such as 2026-01-31", pattern: "^\\d{4}-\\d{2}-\\d{2}$" })
      .optional()
      .describe("Used when a record is created without the field."),
  })
  .describe("A day without a time: YYYY-MM-DD.");

type DateOptions = z.output<typeof options>;

/** A day without a time: `YYYY-MM-DD`. */
export const date: Kind<DateField, DateOptions> = {
  ...kindDefaults,
  name: "date",
  canBeListed: true,
  example: "{ type: date }",
  options,
  field(common, written) {
    return {
      ...common,
      kind: "date",
      unique: written.unique ?? false,
      default: written.default ?? null,
    };
  },
  typescript: () => ({ name: "string" }),
  schema: (field) => ({
    shown: { type: "string", format: "date" },
    example: field.default ?? "2026-01-31",
  }),
  validation: () => ({ validator: "date", argument: null }),
  computing: { operand: () => plainOperand("date"), result: (_, sql) => sql },
  condition: {
    comparisons: "order",
    shared: { name: "DateCondition", value: { type: "string", format: "date" } },
    type: "TimeCondition",
  },
  aggregations: () => ["extreme", "value", "period"],
  sql: () => ({
    type: "date",
    check: between("'0001-01-01'", "'9999-12-31'"),
  }),
  keyBytes: () => maxPlainKeyBytes,
  inRow: () => ({ bytes: 4, alignment: 4 }),
  words: () => "a date",
  textForm: () => ({
    family: "date",
    pattern: day,
    texts: null,
    maxLength: 10,
    write: (value) => `to_char(${value}, 'YYYY-MM-DD')`,
    read: reader("date", day),
  }),
  /** A timestamp can become a date if it is midnight in UTC. */
  convert({ type }) {
    if (type !== timestampType) return null;
    return {
      value: (time) => `(${time} at time zone 'UTC')::date`,
      readable: (time) => `(${time} at time zone 'UTC')::time = '00:00'`,
    };
  },
};

const day = "[0-9]{4}-[0-9]{2}-[0-9]{2}";
