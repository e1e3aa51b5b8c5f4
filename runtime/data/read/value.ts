import type { Column } from "../../resource/index.js";
import { cellWords } from "../../values/files/cell-words.js";
import { jsonNumber } from "../../values/files/spreadsheet.js";

/** A value as a body of the API has it, or what is wrong with it. */
export type ReadValue = { readonly value: unknown } | { readonly message: string };

/** The value of a cell of a CSV file. */
export function cellValue(column: Pick<Column, "kind">, cell: string): ReadValue {
  if (cell === "") return { value: null };
  switch (column.kind) {
    case "integer":
    case "decimal":
    case "double":
      return isNumber(cell) ? { value: Number(cell) } : { message: cellWords.number };
    case "boolean":
      return booleanOf(cell.toLowerCase());
    default:
      return { value: cell };
  }
}

/** Other than JSON a field has no number that is too large to be one. */
function isNumber(cell: string): boolean {
  return jsonNumber.test(cell) && Number.isFinite(Number(cell));
}

function booleanOf(word: string): ReadValue {
  if (word === "true" || word === "false") return { value: word === "true" };
  return { message: cellWords.boolean };
}
