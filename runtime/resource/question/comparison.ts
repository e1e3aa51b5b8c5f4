import { isUnicode } from "../../values/text.js";
import { columnKinds } from "../column-kinds.js";
import type { Column } from "../table.js";
import { type Operator, operatorProblem } from "./operators.js";
import { literalPattern, nothing, type Predicate } from "./predicate.js";

/** A predicate, or why there is none. */
export type Compared = { readonly predicate: Predicate } | { readonly problem: string };

/** A value as text, as it is on the wire; null is the empty value. */
export type Operand = string | null;

/** Code points of what `contains`, `starts` and `ends` look for. */
const maxSearched = 200;

/** Equality: null finds the records in which the field is empty. */
export function equals(column: Column, operand: Operand): Compared {
  if (column.kind === "text") return { problem: "Text fields cannot be filtered" };
  if (operand === null) return { predicate: { kind: "empty", column } };
  const read = readValue(column, operand);
  if ("problem" in read) return read;
  return { predicate: equalTo(column, read.value) };
}

/** One operator with one value; `in` and `nin` are `oneOf` and its complement. */
export function compare(
  column: Column,
  operator: Exclude<Operator, "in" | "nin">,
  operand: Operand,
): Compared {
  const problem = operatorProblem(column, operator);
  if (problem !== null) return { problem };
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

/** Records whose field has one of the values; null among them stands for empty fields. */
export function isOneOf(column: Column, operands: readonly Operand[]): Compared {
  if (column.kind === "text") return { problem: "Text fields cannot be filtered" };
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

/** The records that do not fulfil it. */
export function complement(compared: Compared): Compared {
  return "problem" in compared
    ? compared
    : { predicate: { kind: "not", part: compared.predicate } };
}

type Value = { readonly value: string } | { readonly problem: string };

const number = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** The value as PostgreSQL reads it; of an integer field a fraction is one, too. */
function readValue(column: Column, text: string): Value {
  if (!isUnicode(text)) return { problem: "Must be Unicode without NUL characters" };
  if (column.kind !== "integer") {
    return columnKinds[column.kind](text, "values" in column ? column.values : []);
  }
  return number.test(text) && Number.isFinite(Number(text))
    ? { value: String(Number(text)) }
    : { problem: "Must be a number" };
}

function equalTo(column: Column, value: string): Predicate {
  return canHold(column, value) ? { kind: "equal", column, value } : nothing;
}

/** False for what no integer field holds, and PostgreSQL would refuse to compare with one. */
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
  if (!isUnicode(text)) return { problem: "Must be Unicode without NUL characters" };
  if ([...text].length > maxSearched) return { problem: `At most ${maxSearched} characters` };
  return { predicate: { kind: "like", column, pattern: patternOf(literalPattern(text)) } };
}
