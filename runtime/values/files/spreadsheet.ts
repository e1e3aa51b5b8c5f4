/** A number in JSON. */
export const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A byte order mark, by which spreadsheets recognise UTF-8, and imports recognise a file with guarded cells. */
export const spreadsheetMark = "\uFEFF";

/** A cell that spreadsheets execute as a formula, including any leading apostrophes. */
const formula = /^'*[=+\-@\t\r]/;

/** The cell, with a leading apostrophe if a spreadsheet would execute it; `bareCell` removes it. */
export function guardedCell(cell: string): string {
  return formula.test(cell) && !jsonNumber.test(cell) ? `'${cell}` : cell;
}

/** The cell without the apostrophe of `guardedCell`. */
export function bareCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
