import type { Queryable } from "../../db/index.js";
import type { BodyIssue } from "../../errors/index.js";
import type { Table } from "../table/table.js";
import { type SentRow, sending, sentRows } from "./sent.js";

/** What is at odds with stored records, by the number of the row; rows that are not are left out. */
export async function conflictsOf(
  { query }: Queryable,
  table: Table<never>,
  rows: readonly SentRow[],
): Promise<ReadonlyMap<number, readonly BodyIssue[]>> {
  const all = sending(table);
  const cases = all.lookups.map(({ sql }, at) => `case when ${sql} then ${at} end`);
  const found = await query<{ row: string; wrong: number[] }>(
    `select _row::text as row, wrong
    from (
      select _sent._row, array_remove(array[${cases.join(", ")}]::integer[], null) as wrong
      from ${sentRows(all)}
    ) as _checked
    where wrong <> '{}'`,
    [all.json(rows)],
  );
  return new Map(
    found.map(({ row, wrong }) => [
      Number(row),
      wrong.flatMap((at) => all.lookups[at]?.issues ?? []),
    ]),
  );
}

/** Stores new records by one statement: all, or none where PostgreSQL refuses one, which ends the transaction. */
export async function insertRows(
  { query }: Queryable,
  table: Table<never>,
  rows: readonly SentRow[],
): Promise<void> {
  const all = sending(table);
  const from = sentRows(all);
  const parameters = [all.json(rows)];
  await query(all.insert(from), parameters);
  for (const use of all.use) await query(use(from), parameters);
}
