import { z } from "zod";
import type { TextField } from "../model/model.js";
import type { Kind } from "./kind.js";
import { checkLengths, defaultOf, lengthArgument, lengthCheck, lengthsOf } from "./lengths.js";
import { commonOptions, unicode, wholeNumber } from "./options.js";
import { movable } from "./row.js";

const usualMost = 100_000;
const most = 10_000_000;

const options = z.strictObject({
  ...commonOptions,
  default: unicode.optional(),
  minLength: wholeNumber(0, most, "write minLength: 2, for example").optional(),
  maxLength: wholeNumber(
    1,
    most,
    "write maxLength: 5000, for example; larger ones are for { type: file }",
  ).optional(),
});

type TextOptions = z.output<typeof options>;

/** Long text: neither sorted, filtered nor searched. */
export const text: Kind<TextField, TextOptions> = {
  name: "text",
  example: "{ type: text }",
  options,
  check: (written) => checkLengths(written, usualMost),
  field(common, written) {
    return {
      ...common,
      kind: "text",
      default: defaultOf(written),
      ...lengthsOf(written, usualMost),
    };
  },
  typescript: () => ({ name: "string" }),
  validation(field) {
    return {
      validator: field.required ? "text" : "optionalText",
      argument: lengthArgument(field),
    };
  },
  sql: (field) => ({ type: 'text collate "und-x-icu"', check: lengthCheck(field) }),
  keyBytes: () => null,
  inRow: () => movable,
};
