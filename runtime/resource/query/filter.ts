import { isOperator, readList, takesList } from "../../values/operators.js";
import type { Column } from "../table/table.js";
import {
  type Compared,
  compare,
  compareList,
  type Operand,
  refusedOperator,
} from "./comparison.js";

/** One `filter[field][operator]=value`. */
export function readFilter(column: Column, word: string, text: string): Compared {
  if (!isOperator(word)) return { problem: "Must end in an operator" };
  const problem = refusedOperator(column, word);
  if (problem !== null) return { problem };
  if (word === "ne") return compare(column, word, operandOf(text));
  if (!takesList(word)) return compare(column, word, text);
  const list = readList(text);
  if ("problem" in list) return list;
  return compareList(column, word, list.values.map(operandOf));
}

/** An empty text and `null` mean the empty value. */
function operandOf(text: string): Operand {
  return text === "" || text === "null" ? null : text;
}
