/** One line of RFC 4180 that spreadsheets do not run. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => quoted(harmless(cell))).join(",")}\r\n`;
}

/** Prevents a spreadsheet from running text as a formula; a number stays a number. */
function harmless(cell: string): string {
  if (/^-?\d+(\.\d+)?$/.test(cell)) return cell;
  return /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
