import type { Column } from "../table.js";
import { type Compared, compare, complement, isOneOf, type Operand } from "./comparison.js";
import { isOperator, operatorProblem, readList, takesList } from "./operators.js";

/** What `filter[field][operator]=value` asks for. */
export function readFilter(column: Column, word: string, text: string): Compared {
  if (!isOperator(word)) return { problem: "Must end in an operator" };
  const problem = operatorProblem(column, word);
  if (problem !== null) return { problem };
  if (word === "ne") return compare(column, word, operandOf(text));
  if (!takesList(word)) return compare(column, word, text);
  const list = readList(text);
  if ("problem" in list) return list;
  const listed = isOneOf(column, list.values.map(operandOf));
  return word === "in" ? listed : complement(listed);
}

/** An empty text and `null` are the empty value. */
function operandOf(text: string): Operand {
  return text === "" || text === "null" ? null : text;
}
