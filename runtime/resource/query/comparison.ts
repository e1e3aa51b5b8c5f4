import {
  isOfLists,
  type ListOperator,
  likePattern,
  maxSearchLength,
  type Operator,
  operatorProblem,
} from "../../values/operators.js";
import { isUnicode, nfc } from "../../values/text.js";
import type { Bound, FilterValue } from "../table/kinds/kind.js";
import { kindOf, kindWord } from "../table/kinds/kinds.js";
import { elementsCompared, filesCompared } from "../table/kinds/value/list.js";
import type { Column } from "../table/table.js";
import { nothing, type Predicate } from "./predicate.js";

export type Compared = { readonly predicate: Predicate } | { readonly problem: string };

/** A value as text, as sent; null for the empty value. */
export type Operand = string | null;

/** Returns why lists cannot be filtered by a column; null if they can. */
export function unfiltered(column: Column): string | null {
  return kindOf(column).comparisons === null
    ? `${kindWord(column)} fields cannot be filtered`
    : null;
}

/** Returns why a column does not allow the operator; null if it does. */
export function refusedOperator(column: Column, operator: Operator): string | null {
  const { comparisons } = kindOf(column);
  if (comparisons === null) return unfiltered(column);
  if (operator === "same" && !isOfLists(comparisons) && column.unique?.anyCase !== true) {
    return '"same" is only for fields with unique: any-case';
  }
  return operatorProblem(comparisons, operator);
}

/** Tests equality; null finds records in which the field is empty. */
export function equals(column: Column, operand: Operand): Compared {
  const problem = unfiltered(column);
  if (problem !== null) return { problem };
  if (operand === null) return { predicate: { kind: "empty", column } };
  const { comparisons, isFile } = kindOf(column);
  if (isOfLists(comparisons)) return { problem: isFile ? filesCompared : elementsCompared };
  const read = readValue(column, operand);
  if ("problem" in read) return read;
  return { predicate: equalTo(column, read.value) };
}

/** Compares with one value, using an operator that the column allows. */
export function compare(
  column: Column,
  operator: Exclude<Operator, ListOperator>,
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
    case "starts":
    case "ends":
      return searched(column, operator, operand);
    case "same":
      return sameIn(column, operand);
    case "has":
      return hasAll(column, [operand]);
    default:
      return operator satisfies never;
  }
}

function sameIn(column: Column, operand: string): Compared {
  const read = readValue(column, operand);
  return "problem" in read ? read : { predicate: { kind: "same", column, value: read.value } };
}

/**
 * Compares with several values, using an operator that the column allows. For `in` and `nin`, null among them is the
 * empty value.
 */
export function compareList(
  column: Column,
  operator: ListOperator,
  operands: readonly Operand[],
): Compared {
  switch (operator) {
    case "all":
      return isEachOf(column, operands);
    case "in":
      return isOneOf(column, operands);
    case "nin":
      return complement(isOneOf(column, operands));
    case "hasAny":
      return hasAny(column, operands);
    case "hasAll":
      return hasAll(column, operands);
    default:
      return operator satisfies never;
  }
}

function hasAny(column: Column, operands: readonly Operand[]): Compared {
  const read = readElements(column, operands);
  if ("problem" in read) return read;
  const values = read.values.filter((value) => kindOf(column).canHold(value));
  return { predicate: { kind: "hasAny", column, values } };
}

function hasAll(column: Column, operands: readonly Operand[]): Compared {
  const read = readElements(column, operands);
  if ("problem" in read) return read;
  const { values } = read;
  const isPossible = values.every((value) => kindOf(column).canHold(value));
  return { predicate: isPossible ? { kind: "hasAll", column, values } : nothing };
}

function readElements(
  column: Column,
  operands: readonly Operand[],
): { readonly values: readonly string[] } | { readonly problem: string } {
  const values: string[] = [];
  for (const operand of operands) {
    if (operand === null || operand === "") return { problem: "An element must not be empty" };
    const read = readValue(column, operand);
    if ("problem" in read) return read;
    values.push(read.value);
  }
  return { values };
}

function isOneOf(column: Column, operands: readonly Operand[]): Compared {
  const values: string[] = [];
  for (const operand of operands) {
    if (operand === null) continue;
    const read = readValue(column, operand);
    if ("problem" in read) return read;
    if (kindOf(column).canHold(read.value)) values.push(read.value);
  }
  const listed: Predicate = { kind: "oneOf", column, values };
  if (!operands.includes(null)) return { predicate: listed };
  return { predicate: { kind: "any", parts: [listed, { kind: "empty", column }] } };
}

/** An empty list contains none of the values. */
function isEachOf(column: Column, operands: readonly Operand[]): Compared {
  if (operands.every((operand) => operand === null)) {
    return { predicate: { kind: "empty", column } };
  }
  const values = new Set<string>();
  for (const operand of operands) {
    if (operand === null) return { predicate: nothing };
    const read = readValue(column, operand);
    if ("problem" in read) return read;
    values.add(read.value.toLowerCase());
  }
  return { predicate: { kind: "eachOf", column, values: [...values] } };
}

/** The predicate for records that do not meet this one. */
function complement(compared: Compared): Compared {
  return "problem" in compared
    ? compared
    : { predicate: { kind: "not", part: compared.predicate } };
}

/** Parses a filter's value for a column; returns the problem if it is invalid. */
export function readFilterValue(column: Column, text: string): FilterValue {
  const problem = unfiltered(column);
  return problem === null ? kindOf(column).read(text, column) : { problem };
}

/** Converts the value to PostgreSQL's syntax. */
function readValue(column: Column, text: string): FilterValue {
  if (!isUnicode(text)) return { problem: notUnicode };
  return kindOf(column).readOperand(text, column);
}

const notUnicode = "Must be Unicode without NUL characters";

function equalTo(column: Column, value: string): Predicate {
  return kindOf(column).canHold(value) ? { kind: "equal", column, value } : nothing;
}

function bounded(column: Column, operator: Bound["operator"], operand: string): Compared {
  const read = readValue(column, operand);
  if ("problem" in read) return read;
  const bound = kindOf(column).nearest({ operator, value: read.value });
  return { predicate: { kind: "compared", column, ...bound } };
}

function searched(
  column: Column,
  operator: "contains" | "starts" | "ends",
  sent: string,
): Compared {
  if (!isUnicode(sent)) return { problem: notUnicode };
  const text = nfc(sent);
  if ([...text].length > maxSearchLength) {
    return { problem: `At most ${maxSearchLength} characters` };
  }
  return { predicate: { kind: "like", column, pattern: likePattern(operator, text) } };
}
