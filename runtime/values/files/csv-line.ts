import { guardedCell } from "./spreadsheet.js";

/** A line of CSV as in RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** A line whose cells no spreadsheet executes. */
export function spreadsheetLine(cells: readonly string[]): string {
  return csvLine(cells.map(guardedCell));
}

const special = /[",\r\n]/;

function csvCell(cell: string): string {
  return special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
