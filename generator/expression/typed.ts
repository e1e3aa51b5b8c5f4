import { listWords } from "../../runtime/values/text.js";
import { readDate } from "../../runtime/values/time.js";
import { ExpressionMistake } from "./mistake.js";
import { noSize, type Size, type ValueType } from "./operand.js";

/** A part of an expression with its type and SQL. */
export interface Typed {
  readonly at: number;
  /** Null for the literal `null`, which fits any type. */
  readonly type: ValueType | null;
  /** SQL with a placeholder for each column, such as `{1}`. */
  readonly sql: string;
  readonly size: Size;
  /** The string or number if the part is a literal; otherwise null. */
  readonly literal: string | null;
  /** The values of an enum; null for anything else. */
  readonly values: readonly string[] | null;
}

interface Part {
  readonly type: ValueType | null;
  readonly sql: string;
  readonly size?: Partial<Size> | undefined;
}

export const sqlTypes: Readonly<Record<ValueType, string>> = {
  string: "text",
  number: "numeric",
  boolean: "boolean",
  date: "date",
};

export const typeWords: Readonly<Record<ValueType, string>> = {
  string: "a text",
  number: "a number",
  boolean: "true or false",
  date: "a date",
};

/** Limits for every intermediate value, below PostgreSQL's limits of 131,072 digits and 16,383 decimal places. */
const maxDigits = 100_000;
const maxPlaces = 16_000;
/** Maximum number of characters of an intermediate string; every result is shorter. */
const maxCharacters = 1_000_000;

/**
 * Creates a part of an expression; throws an `ExpressionMistake` if PostgreSQL might be unable to
 * compute its values.
 */
export function typed(at: number, { type, sql, size = {} }: Part): Typed {
  const whole = { ...noSize, ...size };
  const hint = "compute with fewer, or with shorter, values";
  if (whole.digits > maxDigits || whole.places > maxPlaces) {
    throw new ExpressionMistake(at, "this number may have too many digits to compute", hint);
  }
  if (whole.characters > maxCharacters) {
    const message = `this text may have more than ${maxCharacters} characters`;
    throw new ExpressionMistake(at, message, hint);
  }
  return { at, type, sql, size: whole, literal: null, values: null };
}

/** Returns the SQL of a part that must have this type; a quoted string can be a date. */
export function sqlAs(part: Typed, type: ValueType): string {
  if (part.type === null) return `null::${sqlTypes[type]}`;
  if (part.type === type) return part.sql;
  if (type === "date" && part.literal !== null && part.type === "string") {
    if (readDate(part.literal) !== null) return `${part.sql}::date`;
    const message = `'${part.literal}' is not a date`;
    throw new ExpressionMistake(part.at, message, "write it like '2026-01-31'");
  }
  const message = `this is ${typeWords[part.type]}, but ${typeWords[type]} is needed here`;
  throw new ExpressionMistake(part.at, message, hintFor(part.type, type));
}

function hintFor(from: ValueType, to: ValueType): string {
  if (to === "string") return `write '' || before it`;
  if (to === "boolean") return "compare it: price > 0, or name is not null";
  if (from === "boolean") return "use it as a condition: case when … then … else … end";
  return "use a field of that type";
}

/**
 * Returns the common type of the parts: the type of the first part that has one, or date if strings are mixed with a
 * date.
 */
export function commonType(parts: readonly Typed[]): ValueType | null {
  const types = parts.flatMap(({ type }) => type ?? []);
  return types.includes("date") ? "date" : (types[0] ?? null);
}

/** Rejects a string that is compared with an enum but is not one of its values. */
export function checkValues(parts: readonly Typed[]): void {
  const values = parts.find((part) => part.values !== null)?.values;
  if (!values) return;
  for (const { at, literal, type } of parts) {
    if (literal === null || type !== "string" || values.includes(literal)) continue;
    const hint = `the values are ${listWords(values)}`;
    throw new ExpressionMistake(at, `'${literal}' is not a value of the field`, hint);
  }
}
