import { type Column, type ColumnKind, elementKind, kindOf } from "../../resource/index.js";
import { elementsOf } from "../../values/csv/list-cell.js";
import {
  dayOf,
  momentOf,
  type Notation,
  numberOf,
  type ReadValue,
} from "../../values/csv/notation.js";
import { cellWords } from "../../values/files/cell-words.js";
import { jsonWords } from "../../values/stored-json/rules.js";
import { parseValue } from "../../values/stored-json/unsound.js";

/** How the cells of a column are read. */
export interface CellColumn extends Pick<Column, "kind"> {
  /** Whether an empty cell is an empty text: in required fields of adopted tables. */
  readonly keepsEmpty?: boolean;
  /** Whether a cell contains a list of such values. */
  readonly isListed?: true;
}

/** Parses a cell of a CSV file. */
export function cellValue(column: CellColumn, cell: string, notation: Notation): ReadValue {
  if (column.isListed === true) return listValue(column.kind, cell, notation);
  if (kindOf(column).comparisons === "links") return { value: elementsOf(cell) };
  const element = elementKind(column);
  if (element !== null) return listValue(element, cell, notation);
  if (cell === "") return { value: column.keepsEmpty === true ? "" : null };
  switch (column.kind) {
    case "integer":
    case "bigInteger":
    case "int2":
    case "int4":
    case "decimal":
    case "double":
    case "real":
      return numberOf(cell, notation);
    case "boolean":
      return booleanOf(cell.toLowerCase());
    case "date":
      return dayOf(cell, notation);
    case "timestamp":
    case "fineTime":
      // Without a date format or zone for the file, the field validates the cell.
      return notation.dates === null && notation.place === null
        ? { value: cell }
        : momentOf(cell, notation);
    case "json":
    case "plainJson":
      return parseValue(cell) ?? { message: jsonWords.notJson };
    default:
      return { value: cell };
  }
}

/** Parses the elements of a cell; returns the message for the first element that is invalid. */
function listValue(kind: ColumnKind, cell: string, notation: Notation): ReadValue {
  const values: unknown[] = [];
  for (const element of elementsOf(cell)) {
    const read = cellValue({ kind }, element, notation);
    if ("message" in read) return read;
    values.push(read.value);
  }
  return { value: values };
}

function booleanOf(word: string): ReadValue {
  if (word === "true" || word === "false") return { value: word === "true" };
  return { message: cellWords.boolean };
}
