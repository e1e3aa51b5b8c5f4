/** A line of CSV after RFC 4180. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

const special = /[",\r\n]/;

function csvCell(cell: string): string {
  return special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
