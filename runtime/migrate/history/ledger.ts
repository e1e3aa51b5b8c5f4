import { messageOf, type Queryable, readOnlyHint } from "../../db/index.js";
import { MigrationError } from "../error.js";
import type { MigrationFile, MigrationName } from "../files/files.js";

/** An applied migration, as recorded in the database. */
export interface LedgerRow extends MigrationName {
  readonly checksum: string;
  /** Whether servers built before the migration cannot work with the schema after it. */
  readonly breaking: boolean;
}

/**
 * Creates the ledger (the tables of applied migrations and of steps) and the schema of all runtime tables if missing;
 * upgrades a ledger of an earlier version.
 *
 * @throws {MigrationError} if the database role lacks the privileges, or the database is read-only.
 */
export async function ensureLedger(db: Queryable): Promise<void> {
  await refuseReadOnly(db);
  const [found] = await db.query<{ complete: boolean }>(
    `select to_regclass('service.migration_steps') is not null
       and to_regclass('service.migrations') is not null as complete`,
  );
  if (found?.complete) return;
  try {
    // A role that may not create schemas can use one created for it.
    const [schema] = await db.query("select from pg_namespace where nspname = 'service'");
    if (schema === undefined) await db.query("create schema service");
    await db.query(ledgerTables);
  } catch (error) {
    throw new MigrationError(
      `The list of applied migrations cannot be created: ${messageOf(error)}`,
      "the role in DATABASE_URL needs the privilege to create schemas and tables in that database",
      { cause: error },
    );
  }
}

/** Refuses replicas, and databases made read-only. */
async function refuseReadOnly(db: Queryable): Promise<void> {
  const [row] = await db.query<{ setting: string }>(
    "select current_setting('transaction_read_only') as setting",
  );
  if (row?.setting !== "on") return;
  throw new MigrationError("This database is read-only", readOnlyHint);
}

/** Sent as one query string, so that it is one transaction. */
const ledgerTables = `
  create table if not exists service.migrations (
    source text collate "C" not null,
    name text collate "C" not null,
    checksum text collate "C" not null,
    applied_at timestamptz(3) not null default now(),
    constraint migrations_pkey primary key (source, name),
    constraint migrations_source_known check (source in ('package', 'app'))
  );
  alter table service.migrations add column if not exists breaking boolean not null default false;
  -- The steps of files that were begun and not finished.
  create table service.migration_steps (
    source text collate "C" not null,
    name text collate "C" not null,
    direction text collate "C" not null,
    step integer not null,
    checksum text collate "C" not null,
    breaking boolean not null,
    position uuid,
    done_at timestamptz(3),
    constraint migration_steps_pkey primary key (source, name, direction, step),
    constraint migration_steps_direction_known check (direction in ('up', 'down'))
  )`;

/** Reads the applied migrations, oldest first; empty in a database that was never migrated. */
export async function readLedger(db: Queryable): Promise<readonly LedgerRow[]> {
  const [found] = await db.query<{ exists: boolean }>(
    "select to_regclass('service.migrations') is not null as exists",
  );
  if (!found?.exists) return [];
  // The ledger of version 0.4 has no column `breaking`.
  return db.query<LedgerRow>(
    `select source, name, checksum,
       coalesce((to_jsonb(migrations) ->> 'breaking')::boolean, false) as breaking
     from service.migrations
     order by applied_at, source desc, name`,
  );
}

/** Records the file as applied; must be called in the file's transaction. */
export async function addToLedger(
  db: Queryable,
  { source, name, checksum }: MigrationFile,
  { breaking }: Pick<LedgerRow, "breaking">,
): Promise<void> {
  await db.query(
    "insert into service.migrations (source, name, checksum, breaking) values ($1, $2, $3, $4)",
    [source, name, checksum, breaking],
  );
}

/** Records the migration as undone; must be called in its transaction. */
export async function removeFromLedger(
  db: Queryable,
  { source, name }: MigrationName,
): Promise<void> {
  await db.query("delete from service.migrations where source = $1 and name = $2", [source, name]);
}
