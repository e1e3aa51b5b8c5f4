export const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A byte order mark, by which spreadsheets recognize UTF-8, and imports a file with guarded cells. */
export const spreadsheetMark = "\uFEFF";

/** Matches a cell that spreadsheets execute as a formula, including leading apostrophes. */
const formula = /^'*[=+\-@\t\r]/;

/** Prefixes a cell with an apostrophe if a spreadsheet would execute it; `bareCell` removes it. */
export function guardedCell(cell: string): string {
  return formula.test(cell) && !jsonNumber.test(cell) ? `'${cell}` : cell;
}

/** Removes the apostrophe that `guardedCell` added. */
export function bareCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
