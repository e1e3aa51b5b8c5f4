import { guardedCell } from "../../../../values/files/spreadsheet.js";

/** A byte order mark, by which spreadsheets recognise UTF-8, and imports a file whose cells are guarded. */
export const spreadsheetMark = "\uFEFF";

/** A line of RFC 4180 for programs. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(quoted).join(",")}\r\n`;
}

/** A line of RFC 4180 of which spreadsheets run nothing. */
export function spreadsheetLine(cells: readonly string[]): string {
  return csvLine(cells.map(guardedCell));
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
