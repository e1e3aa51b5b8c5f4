import type { Queryable } from "../../db/index.js";
import { oneLine } from "../../values/text.js";
import { BackupProblem } from "../archive/problem.js";
import { countedTable, type FoundTables, type ResourceNames, resourceOf } from "../tables/find.js";
import type { VerifiedArchive } from "./verify.js";

/** The contents of a database that a restore would replace. */
export interface Contents {
  /** The number of records of each resource; resources without records are omitted. */
  readonly records: Readonly<Record<string, number>>;
  readonly accounts: number;
}

/** Counts records and accounts; both are zero in a database that was never migrated. */
export async function contentsOf(db: Queryable, names: ResourceNames): Promise<Contents> {
  const [found] = await db.query<{ isMigrated: boolean }>(
    `select to_regclass('service.tallies') is not null
       and to_regclass('service.users') is not null as "isMigrated"`,
  );
  if (!found?.isMigrated) return { records: {}, accounts: 0 };
  const tables = await db.query<{ name: string; sql: string }>(
    `select case strpos(table_name, '.') when 0 then 'public.' else '' end || table_name as name,
       ${countedTable} as sql
     from service.tallies
     where to_regclass(${countedTable}) is not null
     order by table_name`,
  );
  const records: Record<string, number> = {};
  for (const { name, sql } of tables) {
    const rows = await countOf(db, sql);
    if (rows > 0) records[resourceOf(name, names)] = rows;
  }
  return { records, accounts: await countOf(db, "service.users") };
}

async function countOf(db: Queryable, sql: string): Promise<number> {
  const [row] = await db.query<{ rows: number }>(`select count(*)::float8 as rows from ${sql}`);
  return row?.rows ?? 0;
}

/** @throws {BackupProblem} with the numbers, if there are records or accounts. */
export function refuseContents({ records, accounts }: Contents): void {
  const parts = Object.entries(records).map(([resource, rows]) => `${rows} of ${resource}`);
  if (accounts > 0) parts.push(`${accounts} of users`);
  if (parts.length === 0) return;
  throw new BackupProblem(
    `The database is not empty; it has records: ${parts.join(", ")}`,
    "restore into an empty database, or replace all of them with --replace",
  );
}

/** @throws {BackupProblem} if the database lacks a table or a column of the archive. */
export function refuseOtherTables(
  { archived }: FoundTables,
  { manifest }: Pick<VerifiedArchive, "manifest">,
): void {
  const columns = new Map(archived.map((table) => [table.name, table.columns]));
  for (const [table, given] of Object.entries(manifest.tables)) {
    const own = columns.get(table);
    const lacking = own === undefined ? [table] : given.filter((column) => !own.includes(column));
    const [first] = lacking;
    if (first === undefined) continue;
    throw new BackupProblem(
      own === undefined
        ? `The archive has the table ${oneLine(table)}, which this database does not have`
        : `The archive has the column ${oneLine(first)} of ${table}, which this database does not have`,
      "no migration made it: create it with SQL, and restore again",
    );
  }
}

/** The key under which a restored archive is recorded until the steps after its commit are done. */
const remarkOf = (digest: string) => `restored ${digest}`;

/** Records the restore; to be called in its transaction. */
export async function markRestored(db: Queryable, digest: string): Promise<void> {
  await db.query(
    "insert into service.remarks (name, at) values ($1, now()) on conflict do nothing",
    [remarkOf(digest)],
  );
}

/** Whether an earlier run restored that archive and was interrupted after its commit. */
export async function isRestored(db: Queryable, digest: string): Promise<boolean> {
  const [found] = await db.query<{ exists: boolean }>(
    "select to_regclass('service.remarks') is not null as exists",
  );
  if (!found?.exists) return false;
  const rows = await db.query("select from service.remarks where name = $1", [remarkOf(digest)]);
  return rows.length > 0;
}

/** Deletes the record after all steps. */
export async function unmarkRestored(db: Queryable): Promise<void> {
  await db.query("delete from service.remarks where name like 'restored %'");
}
