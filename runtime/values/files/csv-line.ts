import { guardedCell } from "./spreadsheet.js";

/** Formats a line of CSV (RFC 4180). */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** Formats a line of CSV whose cells spreadsheets do not execute. */
export function spreadsheetLine(cells: readonly string[]): string {
  return csvLine(cells.map(guardedCell));
}

const special = /[",\r\n]/;

function csvCell(cell: string): string {
  return special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
