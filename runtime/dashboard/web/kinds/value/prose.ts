import { formatProblem, lengthProblem, storedText } from "../../../../values/rules.js";
import type { Field } from "../../api/client/types.js";
import { formDefaults, type Parsed, parsedAs, parsing, problem } from "../form-rules.js";
import { type Cell, cell } from "../kind.js";

/** Maximum length of a text that is matched here: unlike the API, browsers do not match patterns in linear time. */
const longestMatched = 300;

/** The form rules of strings and texts. */
export const prose = {
  ...formDefaults,
  isProse: true,
  parse: (field: Field, typed: string) =>
    typed === "" && keepsEmpty(field)
      ? parsedAs(typed)
      : parseStored(field, storedText(typed, field)),
  compare: (field: Field, one: string, other: string) =>
    storedText(lined(one), field) === storedText(lined(other), field),
} as const;

/** Parses a file's cell by its field's lengths; `usual` is the maximum if the field has none. */
export function readProse(usual: number) {
  return (field: Field, value: string): Cell => {
    const { minLength = 0, maxLength = usual } = field;
    const text = storedText(value, field);
    return cell(text, lengthProblem(text, { minLength, maxLength }) ?? formatOf(field, text));
  };
}

const parseStored = parsing((field: Field, typed: string): Parsed => {
  const least = field.required === true ? 1 : 0;
  const { minLength = least, maxLength = Number.POSITIVE_INFINITY, pattern, patternHint } = field;
  const length = lengthProblem(typed, { minLength, maxLength });
  if (length !== null) return problem(length, typed);
  if (pattern !== undefined && !matches(pattern, typed)) {
    return { kind: "problem", message: patternHint ?? `Must match ${pattern}`, isSure: false };
  }
  return problem(formatOf(field, typed), typed);
});

/** Whether a required field may have an empty text, as columns of adopted tables do. */
function keepsEmpty({ required, minLength }: Field): boolean {
  return required === true && minLength === 0;
}

function formatOf({ format }: Field, text: string): string | null {
  return format === "email" || format === "url" ? formatProblem(text, format) : null;
}

/** Whether the value matches the field's pattern; true if only the API can decide. */
function matches(pattern: string, typed: string): boolean {
  if (typed.length > longestMatched) return true;
  try {
    return new RegExp(`^(?:${pattern})$`, "u").test(typed);
  } catch {
    return true;
  }
}

/** Normalizes line breaks, which differ between browsers. */
function lined(typed: string): string {
  return typed.replace(/\r\n?/g, "\n");
}
