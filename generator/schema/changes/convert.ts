import { type Check, checkCondition, isNarrower } from "../../../runtime/values/schema/check.js";
import type { Column } from "../../../runtime/values/schema/schema.js";
import { type Conversion, plainText, type TextForm } from "../../kind/column/conversion.js";
import { type AnyKind, kindNamed } from "../../kind/kinds.js";
import { elementColumn, intoList, isList, listToList, outOfList } from "./lists.js";

/** Returns the conversion of values: direct if the new kind has one, else through the API's string form. */
export function conversion(from: Column, to: Column): Conversion {
  if (isList(from) || isList(to)) return listConversion(from, to);
  const direct = kindOf(to).convert(from, to);
  if (direct !== null) return direct;
  const { write } = formOf(from);
  const { value, readable } = formOf(to).read;
  return {
    value: (former) => value(write(former)),
    readable: readable === null ? null : (former) => readable(write(former)),
  };
}

const unchanged: Conversion = { value: (former) => former, readable: null };

function listConversion(from: Column, to: Column): Conversion {
  const [before, after] = [elementColumn(from), elementColumn(to)];
  const elements = before.type === after.type ? unchanged : conversion(before, after);
  if (!isList(from)) return intoList(elements, to);
  return isList(to) ? listToList(elements) : outOfList(elements);
}

/** Whether values can never be converted from one column to the other, as from boolean, timestamp or link to number. */
export function isUnconvertible(from: Column, to: Column): boolean {
  if (isList(from) || isList(to)) return isUnconvertible(elementColumn(from), elementColumn(to));
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

/** Whether the new column may reject values that the old one accepts. */
export function isNarrowing(from: Column, to: Column): boolean {
  const { readable, isLossy = false, isRarelyLossy = false } = conversion(from, to);
  return isLossy || (readable !== null && !isRarelyLossy) || !alwaysPasses(from, to);
}

/** Whether every convertible value that one column accepts passes the check of the other. */
function alwaysPasses(from: Column, to: Column): boolean {
  const { check } = to;
  if (isList(from) || isList(to)) return listPasses(from, to);
  if (check === null || (check.rule === "range" && isTypeRange(check))) return true;
  if (from.check?.rule === check.rule || from.check?.rule === "values") {
    return !isNarrower(from.check, check);
  }
  const { texts, maxLength } = formOf(from);
  if (check.rule === "values") return texts?.every((text) => check.values.includes(text)) ?? false;
  return check.rule === "length" && maxLength <= check.most && check.least <= 1;
}

function listPasses(from: Column, to: Column): boolean {
  const isCounted =
    isList(from) && from.check?.rule === "list" && to.check?.rule === "list"
      ? isNarrower({ ...from.check, element: null }, { ...to.check, element: null })
      : false;
  const [before, after] = [elementColumn(from), elementColumn(to)];
  return !isCounted && alwaysPasses(before, isList(from) ? after : withEmpty(after));
}

/** Returns an element's column without the minimum length of 1: a string that becomes an element is never "". */
function withEmpty(column: Column): Column {
  const { check } = column;
  if (check?.rule !== "length" || check.least !== 1) return column;
  return { ...column, check: { ...check, least: 0 } };
}

/** Whether a range is the type's limit rather than one set by the author. */
function isTypeRange({ lower, upper }: Extract<Check, { rule: "range" }>): boolean {
  return (
    !(Math.abs(Number(lower?.value)) < Number.MAX_SAFE_INTEGER) &&
    !(Math.abs(Number(upper?.value)) < Number.MAX_SAFE_INTEGER)
  );
}

/** Describes the content of a column, including an article. */
export function describeColumn(column: Column): string {
  return isList(column) ? "such a list" : kindOf(column).words(column.type);
}

function formOf(column: Column): TextForm {
  return kindOf(column).textForm(column.type);
}

/** The kind of a field's column; `id`, `created_at` and `updated_at` are never converted. */
function kindOf({ name, kind }: Column): AnyKind {
  if (kind === null) throw new Error(`the column ${name} is not a field's`);
  return kindNamed(kind);
}
