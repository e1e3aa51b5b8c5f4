import { type Queryable, unwaited } from "../../db/index.js";
import { countedTable } from "../tables/find.js";

const remark = "backup";

/** Records the time of a complete backup, for `doctor`; a record lost in a crash only costs another backup. */
export async function rememberBackup(db: Queryable, madeAt: Date): Promise<void> {
  await db.query(
    `insert into service.remarks (name, at) select $1, $2::timestamptz from ${unwaited}
     on conflict (name) do update set at = greatest(remarks.at, excluded.at)`,
    [remark, madeAt],
  );
}

/** Returns the time of the last backup; null if there is none. */
export async function lastBackup(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ at: string | Date }>(
    "select at from service.remarks where name = $1",
    [remark],
  );
  return row === undefined ? null : new Date(row.at);
}

/** Whether there is any account or record to lose. */
export async function hasContents(db: Queryable): Promise<boolean> {
  const tables = await db.query<{ sql: string }>(
    `select ${countedTable} as sql
     from service.tallies
     where to_regclass(${countedTable}) is not null`,
  );
  for (const { sql } of [{ sql: "service.users" }, ...tables]) {
    const [found] = await db.query<{ exists: boolean }>(
      `select exists (select from ${sql}) as exists`,
    );
    if (found?.exists) return true;
  }
  return false;
}
