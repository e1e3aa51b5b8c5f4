import type { Operator } from "../../values/operators.js";
import { isUnicode } from "../../values/text.js";
import { columnKinds, type FilterValue } from "../table/column-kinds.js";
import type { Column } from "../table/table.js";
import { literalPattern, nothing, type Predicate } from "./predicate.js";

/** A predicate, or what is wrong. */
export type Compared = { readonly predicate: Predicate } | { readonly problem: string };

/** A value as text, as it is sent; null is the empty value. */
export type Operand = string | null;

/** Longest text for `q`, `contains`, `starts` and `ends`, in code points. */
export const maxSearchLength = 200;

/** Equality; null finds the records in which the field is empty. */
export function equals(column: Column, operand: Operand): Compared {
  if (column.kind === "text") return { problem: "Text fields cannot be filtered" };
  if (operand === null) return { predicate: { kind: "empty", column } };
  const read = readValue(column, operand);
  if ("problem" in read) return read;
  return { predicate: equalTo(column, read.value) };
}

/** Compares with one value by an operator that the column allows; see `operatorProblem`. */
export function compare(
  column: Column,
  operator: Exclude<Operator, "in" | "nin">,
  operand: Operand,
): Compared {
  if (operator === "ne") return complement(equals(column, operand));
  if (operand === null || operand === "") return { problem: "Must not be empty" };
  switch (operator) {
    case "gt":
      return bounded(column, ">", operand);
    case "gte":
      return bounded(column, ">=", operand);
    case "lt":
      return bounded(column, "<", operand);
    case "lte":
      return bounded(column, "<=", operand);
    case "contains":
      return searched(column, operand, (text) => `%${text}%`);
    case "starts":
      return searched(column, operand, (text) => `${text}%`);
    case "ends":
      return searched(column, operand, (text) => `%${text}`);
    default:
      return operator satisfies never;
  }
}

/** Compares with several values by `in` or `nin`, which the column allows; null among them is the empty value. */
export function compareList(
  column: Column,
  operator: "in" | "nin",
  operands: readonly Operand[],
): Compared {
  const listed = isOneOf(column, operands);
  return operator === "in" ? listed : complement(listed);
}

function isOneOf(column: Column, operands: readonly Operand[]): Compared {
  const values: string[] = [];
  for (const operand of operands) {
    if (operand === null) continue;
    const read = readValue(column, operand);
    if ("problem" in read) return read;
    if (canHold(column, read.value)) values.push(read.value);
  }
  const listed: Predicate = { kind: "oneOf", column, values };
  if (!operands.includes(null)) return { predicate: listed };
  return { predicate: { kind: "any", parts: [listed, { kind: "empty", column }] } };
}

/** The predicate for the records that do not fulfil this one. */
function complement(compared: Compared): Compared {
  return "problem" in compared
    ? compared
    : { predicate: { kind: "not", part: compared.predicate } };
}

/** Parses a filter's value for a column; returns what is wrong where that is impossible. */
export function readFilterValue(column: Column, text: string): FilterValue {
  return columnKinds[column.kind](text, "values" in column ? column.values : []);
}

/** The value as PostgreSQL parses it; an integer field may be compared with a fraction. */
function readValue(column: Column, text: string): FilterValue {
  if (!isUnicode(text)) return { problem: notUnicode };
  return column.kind === "integer" ? columnKinds.double(text, []) : readFilterValue(column, text);
}

const notUnicode = "Must be Unicode without NUL characters";

function equalTo(column: Column, value: string): Predicate {
  return canHold(column, value) ? { kind: "equal", column, value } : nothing;
}

/** False for a number that no integer field can have: PostgreSQL would refuse the comparison. */
function canHold({ kind }: Column, value: string): boolean {
  return kind !== "integer" || Number.isSafeInteger(Number(value));
}

function bounded(column: Column, operator: "<" | "<=" | ">" | ">=", operand: string): Compared {
  const read = readValue(column, operand);
  if ("problem" in read) return read;
  if (column.kind !== "integer" || Number.isSafeInteger(Number(read.value))) {
    return { predicate: { kind: "compared", column, operator, value: read.value } };
  }
  const above = operator.startsWith(">");
  const bound = Number(read.value);
  const nearest = above ? Math.ceil(bound) : Math.floor(bound);
  const value = String(Math.min(Math.max(nearest, -farthest), farthest));
  return { predicate: { kind: "compared", column, operator: above ? ">=" : "<=", value } };
}

/** Beyond every value of an integer field. */
const farthest = 2 ** 53;

function searched(column: Column, text: string, patternOf: (literal: string) => string): Compared {
  if (!isUnicode(text)) return { problem: notUnicode };
  if ([...text].length > maxSearchLength) {
    return { problem: `At most ${maxSearchLength} characters` };
  }
  return { predicate: { kind: "like", column, pattern: patternOf(literalPattern(text)) } };
}
