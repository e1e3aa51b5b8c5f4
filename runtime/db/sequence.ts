import type { Queryable } from "./statement/database.js";

/** A sequence, and the column that it numbers, as SQL. */
export interface Numbered {
  readonly sequence: string;
  readonly table: string;
  readonly column: string;
}

/** Advances a sequence past the numbers in its table; it never moves back. */
export async function moveSequence(
  { query }: Queryable,
  { sequence, table, column }: Numbered,
): Promise<void> {
  await query(
    `select setval($1::text::regclass, last::text::bigint)
     from (select max(${column}) as last from ${table}) as _rows
     where last::text::bigint > coalesce(pg_sequence_last_value($1::text::regclass), 0)`,
    [sequence],
  );
}
