import Papa from "papaparse";
import { ownNotation } from "../../../../../values/csv/notation.js";
import type { Field, Row } from "../../../api/client/types.js";
import { readCell } from "../../../kinds/cells/cell-problem.js";
import { enPaste } from "../../../text/en/bulk.js";
import { readerNumbers } from "../../../text/figures.js";
import { numbersInFile, wayOf } from "../../../text/file-numbers.js";
import type { NumberText } from "../../../text/number-text.js";

const text = enPaste;

/** Maximum number of rows that one paste can change: the API's maximum per page and per batch. */
export const mostRows = 100;
/** Maximum length of pasted text in UTF-16 units; longer text does not fit a page. */
export const mostLength = 1_000_000;
/** Decimals if the field defines none: the precision of a double. */
const mostDecimals = 17;

/** The cells copied from a spreadsheet: tabs between columns, quotes around cells with line breaks. */
export function cellsOf(pasted: string): readonly (readonly string[])[] {
  const { data } = Papa.parse<string[]>(pasted.replace(/\r?\n$/, ""), { delimiter: "\t" });
  return data;
}

/** A value for a field of a row, or why there is none. */
export type PastedCell =
  | { readonly kind: "value"; readonly value: unknown; readonly written: string }
  | { readonly kind: "problem"; readonly message: string; readonly written: string };

export interface PastedRow {
  readonly row: Row;
  /** One cell per field. */
  readonly cells: readonly PastedCell[];
}

/** By field, the ids of the records that link cells name; null if several have the name. */
export type Named = Readonly<Record<string, ReadonlyMap<string, string | null>>>;

interface PasteTarget {
  readonly fields: readonly Field[];
  readonly rows: readonly Row[];
  readonly named: Named;
}

/** Parses the cells for these fields and rows by the API's rules. */
export function read(
  cells: readonly (readonly string[])[],
  { fields, rows, named }: PasteTarget,
): readonly PastedRow[] {
  const numbers = fields.map((field, at) => numbersOf(field, columnOf(cells, at)));
  return rows.slice(0, cells.length).map((row, index) => ({
    row,
    cells: fields.map((field, at): PastedCell => {
      const written = (cells[index]?.[at] ?? "").trim();
      const notation = { numbers: numbers[at] ?? readerNumbers, named };
      return { ...valueIn(field, written, notation), written };
    }),
  }));
}

/** The non-empty cells of a column. */
export function columnOf(cells: readonly (readonly string[])[], at: number): readonly string[] {
  return cells.map((row) => (row[at] ?? "").trim()).filter((cell) => cell !== "");
}

function valueIn(
  field: Field,
  written: string,
  { numbers, named }: { readonly numbers: NumberText; readonly named: Named },
) {
  if (written === "") {
    return field.required === true
      ? { kind: "problem" as const, message: text.required }
      : { kind: "value" as const, value: field.list === true ? [] : null };
  }
  const ids = named[field.name];
  if (ids === undefined) return readCell(field, written, { ...ownNotation, numbers });
  const id = ids.get(written);
  if (id === undefined) return { kind: "problem" as const, message: text.noneCalled };
  return id === null
    ? { kind: "problem" as const, message: text.severalCalled }
    : { kind: "value" as const, value: id };
}

/** The user's number notation if the whole column is valid in it; else the column's own. */
function numbersOf(field: Field, column: readonly string[]): NumberText {
  const isReaders = column.every((cell) => readerNumbers.read(cell).kind === "number");
  if (isReaders) return readerNumbers;
  return numbersInFile(
    wayOf(column, field.integer === true ? 0 : (field.decimals ?? mostDecimals)),
  );
}
