/**
 * SQL of an expression in which numbers in braces stand for columns: `{1}` is the first column, and `{{` a brace.
 */
export function withColumns(expression: string, columns: readonly string[]): string {
  return expression.replace(/\{\{|\}\}|\{(\d+)\}/g, (part, place?: string) =>
    place === undefined ? part.charAt(0) : (columns[Number(place) - 1] ?? ""),
  );
}
