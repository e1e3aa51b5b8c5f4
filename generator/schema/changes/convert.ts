import { type Check, checkCondition, isNarrower } from "../../../runtime/values/schema/check.js";
import type { Column } from "../../../runtime/values/schema/schema.js";
import { type Conversion, plainText, type TextForm } from "../../kind/column/conversion.js";
import { type AnyKind, kindNamed } from "../../kind/kinds.js";

/** The conversion of values: direct if the new kind has one, else through the API's text. */
export function conversion(from: Column, to: Column): Conversion {
  const direct = kindOf(to).convert(from, to);
  if (direct !== null) return direct;
  const { write } = formOf(from);
  const { value, readable } = formOf(to).read;
  return {
    value: (former) => value(write(former)),
    readable: readable === null ? null : (former) => readable(write(former)),
  };
}

/** Whether no value can be converted from one column to the other, as from boolean, timestamp or link to number. */
export function isUnconvertible(from: Column, to: Column): boolean {
  if (kindOf(to).convert(from, to) !== null) return false;
  const [before, after] = [formOf(from), formOf(to)];
  if (before.family === after.family) return false;
  if (before.family !== plainText.family && after.family !== plainText.family) return true;
  return before.family === plainText.family
    ? noneMatches(from.check, after)
    : noneMatches(to.check, before);
}

/** Whether none of an enum's values matches the form. */
function noneMatches(check: Check | null, { pattern }: TextForm): boolean {
  const form = new RegExp(`^${pattern}$`);
  return check?.rule === "values" && !check.values.some((value) => form.test(value));
}

/** SQL that is true for an old value that the new column accepts; null if it accepts all of them. */
export function acceptedCondition(from: Column, to: Column, former: string): string | null {
  const { value, readable } = conversion(from, to);
  const { check } = to;
  const kept = check === null ? null : checkCondition(value(former), check);
  if (readable === null) return alwaysPasses(from, to) ? null : kept;
  return kept === null
    ? readable(former)
    : `case when ${readable(former)} then ${kept} else false end`;
}

/** Whether the new column may refuse values that the old one accepts. */
export function isNarrowing(from: Column, to: Column): boolean {
  const { readable, isRarelyLossy = false } = conversion(from, to);
  return (readable !== null && !isRarelyLossy) || !alwaysPasses(from, to);
}

/** Whether every convertible value that one column accepts passes the check of the other. */
function alwaysPasses(from: Column, { check }: Column): boolean {
  if (check === null || (check.rule === "range" && isTypeRange(check))) return true;
  if (from.check?.rule === check.rule || from.check?.rule === "values") {
    return !isNarrower(from.check, check);
  }
  const { texts, maxLength } = formOf(from);
  if (check.rule === "values") return texts?.every((text) => check.values.includes(text)) ?? false;
  return check.rule === "length" && maxLength <= check.most && check.least <= 1;
}

/** Whether a range is the type's own limit rather than set by the author. */
function isTypeRange({ lower, upper }: Extract<Check, { rule: "range" }>): boolean {
  return (
    !(Math.abs(Number(lower?.value)) < Number.MAX_SAFE_INTEGER) &&
    !(Math.abs(Number(upper?.value)) < Number.MAX_SAFE_INTEGER)
  );
}

/** Describes the content of a column, with an article. */
export function describeColumn(column: Column): string {
  return kindOf(column).words(column.type);
}

function formOf(column: Column): TextForm {
  return kindOf(column).textForm(column.type);
}

/** The kind of a field's column; `id`, `created_at` and `updated_at` are never converted. */
function kindOf({ name, kind }: Column): AnyKind {
  if (kind === null) throw new Error(`the column ${name} is not a field's`);
  return kindNamed(kind);
}
