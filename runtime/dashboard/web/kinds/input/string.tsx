import { formatProblem, lengthProblem, valueRequired } from "../../../../values/rules.js";
import type { Field as FieldOf } from "../../api/client/types.js";
import { Field } from "../../parts/form/field.js";
import { enRecord } from "../../text/en/record.js";
import { count } from "../../text/format.js";
import { described, joined } from "./described.js";
import { formKind, type InputProps, type Parsed, parsedAs, problem } from "./form-kind.js";
import { ShownText } from "./shown.js";

/** Longest string that fits into a line of half the form. */
const halfLine = 40;
/** Longest text that is matched here: browsers do not run patterns in linear time, as the API does. */
const longestMatched = 300;

function Line(props: InputProps) {
  const { field, value, onChange, onLeave } = props;
  return (
    <Field
      {...described(props)}
      name={field.name}
      // A single-line input would remove line breaks that came from elsewhere.
      isLong={/[\n\r]/.test(value)}
      type={field.format === "email" ? "email" : "text"}
      {...(field.format === "url" ? { inputMode: "url" as const } : {})}
      placeholder={field.placeholder}
      autoComplete="off"
      value={value}
      onChange={onChange}
      onLeave={onLeave}
    />
  );
}

function Lines(props: InputProps) {
  const { field, value, onChange, onLeave } = props;
  const { help, ...rest } = described(props);
  const left = enRecord.characters(count([...value].length), count(field.maxLength ?? 0));
  return (
    <Field
      {...rest}
      name={field.name}
      isLong
      placeholder={field.placeholder}
      autoComplete="off"
      help={field.maxLength === undefined ? help : joined(help, left)}
      value={value}
      onChange={onChange}
      onLeave={onLeave}
    />
  );
}

/** The text with uniform line ends, which browsers write differently. */
function lined(typed: string): string {
  return typed.replace(/\r\n?/g, "\n");
}

function parse(field: FieldOf, typed: string): Parsed {
  if (typed === "") return field.required === true ? problem(valueRequired, null) : parsedAs(null);
  const least = field.required === true ? 1 : 0;
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = field;
  const length = lengthProblem(typed, { minLength: Math.max(least, minLength), maxLength });
  if (length !== null) return problem(length, typed);
  if (field.pattern !== undefined && !matches(field.pattern, typed)) {
    return problem(`Must match ${field.pattern}`, typed, false);
  }
  const { format } = field;
  return format === "email" || format === "url"
    ? problem(formatProblem(typed, format), typed)
    : parsedAs(typed);
}

/** Whether the value matches a pattern; where the browser cannot decide, the API does. */
function matches(pattern: string, typed: string): boolean {
  if (typed.length > longestMatched) return true;
  try {
    return new RegExp(`^(?:${pattern})$`, "u").test(typed);
  } catch {
    return true;
  }
}

const shared = {
  shown: ShownText,
  isProse: true,
  typed: (value: unknown) => (value === null || value === undefined ? "" : String(value)),
  parse,
  compare: (_: FieldOf, one: string, other: string) => lined(one) === lined(other),
};

export const string = formKind({
  ...shared,
  input: Line,
  width: ({ maxLength = Number.POSITIVE_INFINITY, format }) =>
    maxLength <= halfLine || format !== undefined ? "half" : maxLength <= 255 ? "half" : "whole",
});

export const text = formKind({ ...shared, input: Lines, width: () => "whole" });
