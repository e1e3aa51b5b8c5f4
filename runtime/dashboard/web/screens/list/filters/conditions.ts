import type { Field, Resource } from "../../../api/client/types.js";
import { labelOf, shortId } from "../../../api/records/descriptors.js";
import { type Condition, isSame, type Operator } from "../../../browser/address/list-address.js";
import { filterFields } from "../../../kinds/filter/linked-fields.js";
import { kindOf } from "../../../kinds/kinds.js";
import { enList } from "../../../text/en/list.js";

const text = enList;

/** The initial number of days. */
export const usualDays = "7";

/** The choice in a filter: an operator, or one of the two for empty fields. */
export type Choice = Operator | "empty" | "notEmpty";

export function choiceOf({ operator, value }: Condition): Choice {
  if (value !== "" || (operator !== "eq" && operator !== "ne")) return operator;
  return operator === "eq" ? "empty" : "notEmpty";
}

export function conditionOf(field: string, choice: Choice, value: string): Condition {
  if (choice === "empty") return { field, operator: "eq", value: "" };
  if (choice === "notEmpty") return { field, operator: "ne", value: "" };
  return { field, operator: choice, value };
}

export function filterable(resource: Resource): readonly Field[] {
  return filterFields(resource).filter((field) => choicesOf(field).length > 0);
}

export function choicesOf(field: Field): readonly Choice[] {
  const { filter } = kindOf(field);
  if (filter === null) return [];
  return [
    ...filter.operators,
    ...(field.required === true ? [] : (["empty", "notEmpty"] as const)),
  ];
}

export function choiceWords(field: Field, choice: Choice): string {
  if (choice === "empty") return text.isEmpty;
  if (choice === "notEmpty") return text.isNotEmpty;
  const hasCalendar = (kindOf(field).filter?.since ?? null) !== null;
  const calendar: Partial<Record<Operator, string>> = text.calendar;
  return (hasCalendar ? calendar[choice] : undefined) ?? text.operators[choice];
}

const signs: Readonly<Record<string, Operator>> = {
  "<": "lt",
  "<=": "lte",
  "≤": "lte",
  ">": "gt",
  ">=": "gte",
  "≥": "gte",
  "=": "eq",
  "!=": "ne",
  "≠": "ne",
};

/** Splits typed text such as `<150` into an operator and a value; without an operator, `choice` applies. */
export function comparedAs(typed: string, choice: Choice): readonly [Choice, string] {
  const [, sign = "", rest = ""] = /^\s*([<>]=?|!=|[=≤≥≠])(.*)$/s.exec(typed) ?? [];
  const operator = signs[sign];
  return operator === undefined ? [choice, typed] : [operator, rest];
}

/** Adapts the value to a changed choice; empty if it has no meaning there. */
export function valueFor(
  field: Field,
  value: string,
  { from, to }: { readonly from: Choice; readonly to: Choice },
): string {
  const { filter } = kindOf(field);
  if (to === "days") return from === "days" ? value : usualDays;
  const isKept = from !== "days" && from !== "empty" && from !== "notEmpty";
  if (filter === null || !isKept || to === "empty" || to === "notEmpty") return "";
  return filter.suited(value, to, from);
}

/** The conditions with one replaced or appended. */
export function withCondition(
  conditions: readonly Condition[],
  former: Condition | null,
  next: Condition,
): readonly Condition[] {
  const at = former === null ? -1 : conditions.findIndex((one) => isSame(one, former));
  const others = conditions.filter((one, index) => index === at || !isSame(one, next));
  const place = at < 0 ? -1 : others.findIndex((one) => former !== null && isSame(one, former));
  return place < 0 ? [...others, next] : others.with(place, next);
}

/** Describes a condition in plain text, for the list of recent searches. */
export function conditionWords(resource: Resource, condition: Condition): string {
  const field = filterFields(resource).find(({ name }) => name === condition.field);
  if (field === undefined) return condition.field;
  const words = `${labelOf(field)} ${choiceWords(field, choiceOf(condition))}`;
  if (condition.value === "") return words;
  if (condition.operator === "days") return `${words} ${text.days(Number(condition.value))}`;
  return `${words} ${field.resource === undefined ? condition.value : shortId(condition.value)}`;
}
