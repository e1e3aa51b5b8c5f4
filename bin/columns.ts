/** Lines in which the cells of all rows stand below each other. */
export function alignColumns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) {
      widths[at] = Math.max(widths[at] ?? 0, lengthOf(cell));
    }
  }
  return rows.map((row) => {
    const cells = row.map((cell, at) => cell + " ".repeat((widths[at] ?? 0) - lengthOf(cell)));
    return cells.join("  ").trimEnd();
  });
}

/** In code points. */
function lengthOf(text: string): number {
  return [...text].length;
}
