import { isSqlReserved } from "./reserved-words.js";

/**
 * A text as an SQL string literal on one line, because the beginning of a migration's line has a meaning.
 * One with a backslash or a line break is written in the `E''` form, which means the same whatever
 * `standard_conforming_strings` is set to.
 */
export function sqlLiteral(text: string): string {
  const quoted = quotedText(text);
  if (!/[\\\n\r]/.test(text)) return quoted;
  const escaped = quoted.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\r", "\\r");
  return `E${escaped}`;
}

/** An SQL string literal of the tool's own text, which keeps its line breaks. */
export function sqlLines(text: string): string {
  const quoted = quotedText(text);
  return text.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

function quotedText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A name of a table, column, index or constraint; quoted only where PostgreSQL needs it. */
export function sqlIdentifier(name: string): string {
  const plain = /^[a-z_][a-z0-9_]*$/.test(name) && !isSqlReserved(name);
  return plain ? name : `"${name.replaceAll('"', '""')}"`;
}
