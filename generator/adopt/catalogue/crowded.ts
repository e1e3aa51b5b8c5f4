import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import { mostItems } from "../../kind/list/links.js";
import { joinedColumns } from "../model/joins.js";
import { sqlTable } from "../model/sql-name.js";
import type { Catalogue, FoundTable } from "./catalogue.js";
import type { Run } from "./read.js";

/** Returns a function that reports whether a record in a join table has more links than a list can hold. */
export async function readCrowded(
  run: Run,
  { tables }: Catalogue,
): Promise<(table: FoundTable) => boolean> {
  const crowded = new Set<FoundTable>();
  for (const table of tables) {
    const [record] = joinedColumns(table) ?? [];
    if (record === undefined || !table.rights.includes("select")) continue;
    const column = sqlIdentifier(record.name);
    const found = await run(
      `select from ${sqlTable(table)} group by ${column} having count(*) > ${mostItems} limit 1`,
      [],
    );
    if (found.length > 0) crowded.add(table);
  }
  return (table) => crowded.has(table);
}
