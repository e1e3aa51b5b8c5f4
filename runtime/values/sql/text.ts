import { isSqlReserved } from "./reserved-words.js";

/**
 * An SQL string literal on one line, because migrations give a meaning to the start of a line. Text with a backslash or
 * line break uses the `E''` form, which does not depend on `standard_conforming_strings`.
 */
export function sqlLiteral(text: string): string {
  const quoted = quotedText(text);
  if (!/[\\\n\r]/.test(text)) return quoted;
  const escaped = quoted.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `E${escaped}`;
}

/** An array literal of texts or numbers, whose type depends on the context. */
export function sqlList(values: readonly (string | number)[]): string {
  const elements = values.map((value) =>
    typeof value === "number" ? String(value) : `"${value.replace(/["\\]/g, "\\$&")}"`,
  );
  return sqlLiteral(`{${elements.join(",")}}`);
}

/** An SQL string literal that keeps line breaks, for text of the tool. */
export function sqlLines(text: string): string {
  const quoted = quotedText(text);
  return text.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

/** A literal without the `E''` form, as PostgreSQL prints a trigger's argument if `standard_conforming_strings` is on. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The name of a table, column, index or constraint in SQL, quoted only if necessary. */
export function sqlIdentifier(name: string): string {
  const plain = /^[a-z_][a-z0-9_]*$/.test(name) && !isSqlReserved(name);
  return plain ? name : `"${name.replaceAll('"', '""')}"`;
}
