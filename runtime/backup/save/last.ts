import { type Queryable, unwaited } from "../../db/index.js";

/** The name under which it is kept. */
const remark = "backup";

/** Keeps the time of a backup that is whole, for `doctor`; one that is lost in a crash is made again. */
export async function rememberBackup(db: Queryable, madeAt: Date): Promise<void> {
  await db.query(
    `insert into service.remarks (name, at) select $1, $2::timestamptz from ${unwaited}
     on conflict (name) do update set at = greatest(remarks.at, excluded.at)`,
    [remark, madeAt],
  );
}

/** When the last backup was made; null for never. */
export async function lastBackup(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ at: string | Date }>(
    "select at from service.remarks where name = $1",
    [remark],
  );
  return row === undefined ? null : new Date(row.at);
}

/** Whether there is any account or record, so that there is something to lose. */
export async function hasContents(db: Queryable): Promise<boolean> {
  const tables = await db.query<{ sql: string }>(
    `select format('public.%I', table_name) as sql
     from service.tallies
     where to_regclass(format('public.%I', table_name)) is not null`,
  );
  for (const { sql } of [{ sql: "service.users" }, ...tables]) {
    const [found] = await db.query<{ exists: boolean }>(
      `select exists (select from ${sql}) as exists`,
    );
    if (found?.exists) return true;
  }
  return false;
}
