import type { Operator } from "../../../runtime/values/operators.js";
import { idForms } from "../../../runtime/values/schema/id-types.js";
import { nfc } from "../../../runtime/values/text.js";
import { readDate, readTimestamp } from "../../../runtime/values/time.js";
import type { Operand, OperandWord } from "../../model/condition.js";
import type { Named } from "./place.js";

/** The value to compare with, or a description of the expected value. */
export type ReadOperand = { readonly operand: Operand } | { readonly expected: string };

/** Words with a special meaning, and the fields that can be compared with them. */
const words: Readonly<
  Record<string, { readonly word: OperandWord; readonly isFor: (field: Named) => boolean }>
> = {
  $now: { word: "now", isFor: ({ kind }) => kind === "timestamp" },
  $today: { word: "today", isFor: ({ kind }) => kind === "date" },
  $accountId: { word: "account", isFor: ({ isAccount }) => isAccount },
};

/** Whether a string is one of these words. */
function isWord(value: unknown): value is string {
  return typeof value === "string" && Object.hasOwn(words, value);
}

/** Reads a JSON value with which the field is compared. */
export function readOperand(field: Named, value: unknown): ReadOperand {
  const found = isWord(value) ? words[value] : undefined;
  if (found?.isFor(field)) return { operand: { word: found.word } };
  const expected = expectedOf(field);
  if (typeof value === "string" && value.startsWith("$")) return { expected };
  const text = textOf(field, value);
  return text === null ? { expected } : { operand: { text } };
}

/** Returns the value as a string that PostgreSQL parses; null if the field cannot have such a value. */
function textOf({ kind, values, idType }: Named, value: unknown): string | null {
  if (kind === "number") {
    return typeof value === "number" && Number.isFinite(value) ? String(value) : null;
  }
  if (kind === "boolean") return typeof value === "boolean" ? String(value) : null;
  if (typeof value !== "string") return null;
  switch (kind) {
    case "enum":
      return values.includes(value) ? value : null;
    case "date":
      return readDate(value) === null ? null : value;
    case "timestamp":
      return readTimestamp(value);
    case "id":
    case "belongsTo":
      return idForms[idType].isId(value) ? idForms[idType].usual(value) : null;
    default:
      return value.includes("\0") ? null : nfc(value);
  }
}

/** Returns the message that the field cannot be compared with the value. */
export function wrongOperand({ kind }: Named, value: unknown): string {
  const what = `is compared with ${JSON.stringify(value)}`;
  if (isWord(value)) return `${what}, which ${kind} fields do not support`;
  const isDollar = typeof value === "string" && value.startsWith("$");
  return isDollar ? `${what}, but only $now, $today and $accountId are supported` : what;
}

/** The SQL of operators that compare with a single value. */
export const comparing = { gt: ">", gte: ">=", lt: "<", lte: "<=" } as const satisfies Partial<
  Record<Operator, string>
>;

/** Returns the properties that all comparisons of a field share. */
export function named({ field, column, timezone }: Named) {
  return { kind: "compared", field, column, ...zoned(timezone) } as const;
}

/** Returns the time zone for a comparison, if the column stores none. */
export function zoned(timezone: string | null) {
  return timezone === null ? {} : { timezone };
}

/** Describes the values with which the field can be compared. */
function expectedOf({ kind, values, isAccount }: Named): string {
  switch (kind) {
    case "number":
      return "a number";
    case "boolean":
      return "true or false";
    case "enum":
      return `one of ${values.join(", ")}`;
    case "date":
      return "a date such as 2026-11-30, or $today";
    case "timestamp":
      return "a time such as 2026-11-30T12:00:00Z, or $now";
    case "id":
    case "belongsTo":
      return isAccount ? "the id of an account, or $accountId" : "the id of a record";
    default:
      return "a text that does not begin with $";
  }
}
