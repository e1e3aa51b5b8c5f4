import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import type { Catalogue, FoundColumn, FoundTable } from "./catalogue.js";
import type { Run } from "./read.js";

/** Returns whether each value of a text column is a single line of at most 255 characters. */
export type IsOneLine = (table: FoundTable, column: FoundColumn) => boolean;

/**
 * Scans each table with text columns of unlimited length once. The connected role needs the right to read the tables.
 */
export async function readOneLine(run: Run, { tables }: Catalogue): Promise<IsOneLine> {
  const longer = new Set<FoundColumn>();
  for (const table of tables) {
    const texts = table.columns.filter(isEndless);
    if (texts.length === 0 || !table.rights.includes("select")) continue;
    const [row] = await run(statementOf(table, texts), []);
    for (const [at, column] of texts.entries()) {
      if ((row as Record<string, unknown>)[`c${at}`] === false) longer.add(column);
    }
  }
  return (_, column) => !longer.has(column);
}

function isEndless({ type }: FoundColumn): boolean {
  return !type.isArray && /^(?:text|character varying|(?:\w+\.)?citext)$/.test(type.base);
}

function statementOf({ schema, name }: FoundTable, columns: readonly FoundColumn[]): string {
  const tests = columns.map(({ name: column }, at) => {
    const value = `${sqlIdentifier(column)}::text`;
    return `bool_and(length(${value}) <= 255 and ${value} !~ '[\n\r]') as c${at}`;
  });
  return `select ${tests.join(", ")} from ${sqlIdentifier(schema)}.${sqlIdentifier(name)}`;
}
