import type { Queryable } from "../../db/index.js";
import { BackupProblem } from "../archive/problem.js";
import type { FoundTables } from "../tables/find.js";

/**
 * @throws {BackupProblem} listing the tables outside the archive whose rows refer to rows that a restore would replace,
 * with their numbers. Foreign keys without such rows are ignored.
 */
export async function refuseOutsideRows(
  db: Queryable,
  { archived, passing }: FoundTables,
): Promise<void> {
  const keys = await db.query<OutsideKey>(outsideKeys, [
    [...archived.map(({ sql }) => sql), ...passing],
  ]);
  const found: string[] = [];
  for (const { table, sql, condition } of keys) {
    const [row] = await db.query<{ rows: number }>(
      `select count(*)::float8 as rows from ${sql} where ${condition}`,
    );
    if (row !== undefined && row.rows > 0) found.push(`${row.rows} of ${table}`);
  }
  if (found.length === 0) return;
  throw new BackupProblem(
    `Rows of other tables refer to records that would be replaced: ${found.join(", ")}`,
    "delete those rows, or restore into an empty database",
  );
}

interface OutsideKey {
  readonly table: string;
  readonly sql: string;
  /** SQL that is true for a row that refers to another row. */
  readonly condition: string;
}

/** The other tables that have foreign keys to these tables. */
const outsideKeys = `
  select nspname || '.' || relname as table, c.conrelid::regclass::text as sql,
    string_agg(
      (
        select string_agg(format('%I is not null', attname), ' and ' order by attnum)
        from pg_attribute
        where attrelid = c.conrelid and attnum = any (c.conkey)
      ),
      ' or ' order by conname
    ) as condition
  from pg_constraint c
  join pg_class on pg_class.oid = c.conrelid
  join pg_namespace on pg_namespace.oid = relnamespace
  where c.contype = 'f' and c.conparentid = 0
    and c.confrelid = any ($1::text[]::regclass[]) and c.conrelid <> all ($1::text[]::regclass[])
  group by nspname, relname, c.conrelid
  order by nspname collate "C", relname collate "C"`;
