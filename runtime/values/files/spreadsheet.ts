/** A number as JSON writes it. */
export const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** A byte order mark. Spreadsheets recognise UTF-8 by it, and imports a file whose cells are guarded. */
export const spreadsheetMark = "\uFEFF";

/** What a spreadsheet would run as a formula, whatever apostrophes are before it. */
const formula = /^'*[=+\-@\t\r]/;

/** The cell with an apostrophe before it where a spreadsheet would run it; `bareCell` takes that off. */
export function guardedCell(cell: string): string {
  return formula.test(cell) && !jsonNumber.test(cell) ? `'${cell}` : cell;
}

/** The cell without the one apostrophe that `guardedCell` has put before it. */
export function bareCell(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
