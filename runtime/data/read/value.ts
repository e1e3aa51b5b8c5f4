import type { Column } from "../../resource/index.js";
import { jsonNumber } from "../csv/spreadsheet.js";

/** A value as a body of the API has it, or what is wrong with it. */
export type ReadValue = { readonly value: unknown } | { readonly message: string };

const expected = {
  number: "Must be a number as in JSON: 1234.5",
  boolean: "Must be true or false",
} as const;

/** The value of a cell of a CSV file. */
export function cellValue(column: Pick<Column, "kind">, cell: string): ReadValue {
  if (cell === "") return { value: null };
  switch (column.kind) {
    case "integer":
    case "decimal":
    case "double":
      return jsonNumber.test(cell) ? { value: Number(cell) } : { message: expected.number };
    case "boolean":
      return booleanOf(cell.toLowerCase());
    default:
      return { value: cell };
  }
}

function booleanOf(word: string): ReadValue {
  if (word === "true" || word === "false") return { value: word === "true" };
  return { message: expected.boolean };
}
