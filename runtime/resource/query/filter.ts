import type { FilterParameter } from "../../http/index.js";
import { isOfLists, isOperator, readLists, takesList } from "../../values/operators.js";
import type { View } from "../rights/view.js";
import { comparedColumn } from "../table/column-keys.js";
import { kindOf } from "../table/kinds/kinds.js";
import type { Column } from "../table/table.js";
import { countOf, countOfEmpty, tallied } from "../table/tally.js";
import { notField } from "../table/unknown-field.js";
import {
  type Compared,
  compare,
  compareList,
  type Operand,
  readFilterValue,
  refusedOperator,
  unfiltered,
} from "./comparison.js";
import { type Condition, conditionOf, indexOf, noRecord, type Reading } from "./condition.js";
import { emptySql, predicateSql } from "./predicate.js";

/** Returns the condition of one `filter[field]=value` or `filter[field][operator]=value`; empty if it is refused. */
export function readFilter(
  view: View,
  { param, field, operator, value, more }: FilterParameter,
  { issues, reach }: Reading,
): readonly Condition[] {
  const column = comparedColumn(view, field);
  if (column === null) {
    issues.reject(param, notField(view, field));
    return [];
  }
  if (operator !== null) {
    const found = compared(column, operator, [value, ...more]);
    if (!("problem" in found)) return [conditionOf(view, found.predicate, reach)];
    issues.reject(param, found.problem);
    return [];
  }
  if ((value === "" || value === "null") && unfiltered(column) === null) {
    return [emptyIn(view, column)];
  }
  const read = readFilterValue(column, value);
  if ("problem" in read) {
    issues.reject(param, read.problem);
    return [];
  }
  if (!kindOf(column).canHold(read.value)) return [noRecord];
  const sql = predicateSql({ kind: "equal", column, value: read.value }, reach, view.name);
  const lookups = column.entries ? [] : [{ column, by: "value" } as const];
  const count = countIn(view, countOf(column, read.value));
  const index = indexOf(column);
  return [{ sql, count, index, lookups }];
}

function emptyIn(view: View, column: Column): Condition {
  if (column.required && !kindOf(column).isList) return noRecord;
  const sql = emptySql(column);
  // PostgreSQL does not know that rows without a value are sorted like the rest of the index.
  const index = indexOf(column) === null || column.entries !== undefined ? null : "rows";
  const count = countIn(view, countOfEmpty(column));
  const lookups = kindOf(column).isList ? [] : [{ column, by: "value" } as const];
  return { sql, count, index, lookups };
}

function countIn({ table }: View, count: string | null): string | null {
  return count === null ? null : tallied(table, count);
}

/** Parses one `filter[field][operator]=value`, or several for an operator that accepts a list. */
function compared(column: Column, word: string, texts: readonly [string, ...string[]]): Compared {
  const [text] = texts;
  if (!isOperator(word)) return { problem: "Must end in an operator" };
  const problem = refusedOperator(column, word);
  if (problem !== null) return { problem };
  if (word === "ne") return compare(column, word, operandOf(text));
  if (!takesList(word)) return compare(column, word, text);
  const list = readLists(texts);
  if ("problem" in list) return list;
  // As an element, "null" is ordinary text.
  const isOfElements = isOfLists(kindOf(column).comparisons);
  return compareList(column, word, isOfElements ? list.values : list.values.map(operandOf));
}

/** An empty text and `null` mean the empty value. */
function operandOf(text: string): Operand {
  return text === "" || text === "null" ? null : text;
}
