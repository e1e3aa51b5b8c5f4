import { z } from "zod";
import { readDate } from "../../runtime/values/time.js";
import type { DateField } from "../model/model.js";
import { between } from "./check.js";
import { plainKeyBytes } from "./key.js";
import type { Kind } from "./kind.js";
import { commonOptions, flag, unicode } from "./options.js";

const options = z.strictObject({
  ...commonOptions,
  unique: flag.optional(),
  default: unicode
    .refine((text) => readDate(text) !== null, "must be a day of the calendar: YYYY-MM-DD")
    .describe("write one fixed day, such as 2026-01-31")
    .optional(),
});

type DateOptions = z.output<typeof options>;

/** A day without a time: `YYYY-MM-DD`. */
export const date: Kind<DateField, DateOptions> = {
  name: "date",
  example: "{ type: date }",
  options,
  check: () => [],
  field(common, written) {
    return {
      ...common,
      kind: "date",
      unique: written.unique ?? false,
      default: written.default ?? null,
    };
  },
  typescript: () => ({ name: "string" }),
  validation: () => ({ validator: "date", argument: null }),
  sql: () => ({
    type: "date",
    check: between("'0001-01-01'", "'9999-12-31'"),
  }),
  keyBytes: () => plainKeyBytes,
  inRow: () => ({ bytes: 4, alignment: 4 }),
};
