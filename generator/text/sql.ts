import { isSqlReserved } from "../model/reserved-words.js";

/**
 * A text as an SQL string literal. One with a backslash is written in the `E''` form, which means the
 * same whatever `standard_conforming_strings` is set to.
 */
export function sqlLiteral(text: string): string {
  const quoted = `'${text.replaceAll("'", "''")}'`;
  return text.includes("\\") ? `E${quoted.replaceAll("\\", "\\\\")}` : quoted;
}

/** A name of a table, column, index or constraint; quoted only where PostgreSQL needs it. */
export function sqlIdentifier(name: string): string {
  const plain = /^[a-z_][a-z0-9_]*$/.test(name) && !isSqlReserved(name);
  return plain ? name : `"${name.replaceAll('"', '""')}"`;
}
