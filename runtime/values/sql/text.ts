import { isSqlReserved } from "./reserved-words.js";

/**
 * A text as an SQL string literal on one line, since the start of a line has a meaning in migrations. Text with a
 * backslash or line break uses the `E''` form, which is independent of `standard_conforming_strings`.
 */
export function sqlLiteral(text: string): string {
  const quoted = quotedText(text);
  if (!/[\\\n\r]/.test(text)) return quoted;
  const escaped = quoted.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `E${escaped}`;
}

/** A list of texts or numbers as the literal of an array, whose type the context decides. */
export function sqlList(values: readonly (string | number)[]): string {
  const elements = values.map((value) =>
    typeof value === "number" ? String(value) : `"${value.replace(/["\\]/g, "\\$&")}"`,
  );
  return sqlLiteral(`{${elements.join(",")}}`);
}

/** An SQL string literal of the tool's text, with its line breaks. */
export function sqlLines(text: string): string {
  const quoted = quotedText(text);
  return text.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

/** A literal without the `E''` form, as PostgreSQL prints a trigger's argument if `standard_conforming_strings` is on. */
export function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** The name of a table, column, index or constraint, quoted only if PostgreSQL needs it. */
export function sqlIdentifier(name: string): string {
  const plain = /^[a-z_][a-z0-9_]*$/.test(name) && !isSqlReserved(name);
  return plain ? name : `"${name.replaceAll('"', '""')}"`;
}
