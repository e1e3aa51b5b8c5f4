import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import type { FoundTable } from "./catalogue.js";
import type { Run } from "./read.js";

/** Returns the views whose chosen key column has duplicate or null values. */
export async function readRepeating(
  run: Run,
  keys: ReadonlyMap<FoundTable, string>,
): Promise<ReadonlySet<FoundTable>> {
  const repeating = new Set<FoundTable>();
  for (const [table, column] of keys) {
    const isView = table.kind.endsWith("view");
    const isThere = table.columns.some(({ name }) => name === column);
    if (!isView || !isThere || !table.rights.includes("select")) continue;
    const [row] = await run(statementOf(table, column), []);
    if ((row as { readonly repeats: boolean }).repeats) repeating.add(table);
  }
  return repeating;
}

function statementOf({ schema, name }: FoundTable, column: string): string {
  const from = `${sqlIdentifier(schema)}.${sqlIdentifier(name)}`;
  return `select count(*) <> count(distinct (${sqlIdentifier(column)})::text) as repeats from ${from}`;
}
