import { RE2JS, RE2JSSyntaxException } from "re2js";
import { z } from "zod";
import type { StringField } from "../model/model.js";
import type { Kind, OptionProblem } from "./kind.js";
import { checkLengths, defaultOf, lengthArgument, lengthCheck, lengthsOf } from "./lengths.js";
import { commonOptions, flag, unicode, wholeNumber } from "./options.js";

const usualMost = 255;
/** A value is shown, sorted and searched as a whole; longer ones are what text is for. */
const most = 10_000;

const options = z.strictObject({
  ...commonOptions,
  unique: flag.optional(),
  default: unicode.optional(),
  minLength: wholeNumber(0, most).optional(),
  maxLength: wholeNumber(1, most).optional(),
  pattern: unicode.max(1000, "must be at most 1000 characters long").optional(),
  format: z.enum(["email", "url"], "must be email or url").optional(),
});

type StringOptions = z.output<typeof options>;

/** Text of one line's kind: can be unique, sorted, filtered and searched. */
export const string: Kind<StringField, StringOptions> = {
  name: "string",
  example: "{ type: string, maxLength: 120 }",
  options,
  check(written) {
    return [...checkLengths(written, usualMost), ...checkPattern(written), ...checkFormat(written)];
  },
  field(common, written) {
    return {
      ...common,
      kind: "string",
      unique: written.unique ?? false,
      default: defaultOf(written),
      ...lengthsOf(written, usualMost),
      pattern: written.pattern ?? null,
      format: written.format ?? null,
    };
  },
  typescript: () => ({ name: "string" }),
  validation(field) {
    return {
      validator: field.required ? "string" : "optionalString",
      argument: {
        ...lengthArgument(field),
        ...(field.pattern === null ? {} : { pattern: field.pattern }),
        ...(field.format === null ? {} : { format: field.format }),
      },
    };
  },
  sql: (field) => ({ type: 'text collate "und-x-icu"', checks: [lengthCheck(field)] }),
};

/** The expression must compile and match the default as a whole. */
function checkPattern(written: Partial<StringOptions>): readonly OptionProblem[] {
  if (written.pattern === undefined) {
    return [];
  }
  const pattern = compile(written.pattern);
  if (typeof pattern === "string") {
    const hint =
      "the syntax is RE2's: matching takes linear time, without lookaround and backreferences";
    return [{ path: ["pattern"], message: `"pattern" is no valid expression: ${pattern}`, hint }];
  }
  const text = defaultOf(written);
  if (text === null || pattern.matches(text)) {
    return [];
  }
  const hint = "the whole value must match";
  return [{ path: ["default"], message: `"default" does not match "pattern"`, hint }];
}

/** The compiled expression, or what is wrong with it. */
function compile(pattern: string): RE2JS | string {
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) {
      return error.message.replace("error parsing regexp: ", "");
    }
    throw error;
  }
}

function checkFormat(written: Partial<StringOptions>): readonly OptionProblem[] {
  const text = defaultOf(written);
  if (text === null || written.format === undefined || formats[written.format].holds(text)) {
    return [];
  }
  const message = `"default" is no ${formats[written.format].name}`;
  return [{ path: ["default"], message, hint: null }];
}

const formats = {
  email: {
    name: "email address",
    holds: (text: string) => z.email().safeParse(text).success,
  },
  url: {
    name: "http or https address",
    holds: (text: string) => URL.canParse(text) && /^https?:/i.test(text),
  },
};
