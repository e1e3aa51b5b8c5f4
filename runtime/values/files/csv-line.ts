import { guardedCell } from "./spreadsheet.js";

/** A line of CSV after RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** A line of which spreadsheets run nothing. */
export function spreadsheetLine(cells: readonly string[]): string {
  return csvLine(cells.map(guardedCell));
}

const special = /[",\r\n]/;

function csvCell(cell: string): string {
  return special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
