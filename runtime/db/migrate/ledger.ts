import type { Queryable } from "../database.js";
import { MigrationError } from "./error.js";
import type { MigrationFile, MigrationName } from "./files.js";

/** What the database remembers of a migration that was applied. */
export interface LedgerRow extends MigrationName {
  readonly checksum: string;
}

/**
 * Makes the ledger if there is none, and with it the schema of all runtime tables.
 *
 * @throws {MigrationError} when the database's role may not.
 */
export async function ensureLedger(db: Queryable): Promise<void> {
  if (await hasLedger(db)) return;
  try {
    await db.query("create schema if not exists service");
    await db.query(
      `create table service.migrations (
        source text collate "C" not null,
        name text collate "C" not null,
        checksum text collate "C" not null,
        applied_at timestamptz(3) not null default now(),
        constraint migrations_pkey primary key (source, name),
        constraint migrations_source_known check (source in ('package', 'app'))
      )`,
    );
  } catch (error) {
    throw new MigrationError(
      `The ledger of migrations cannot be made: ${error instanceof Error ? error.message : error}`,
      "The role in DATABASE_URL needs the right to create schemas and tables in that database",
      { cause: error },
    );
  }
}

/** Everything applied so far, oldest first; nothing in a database that was never migrated. */
export async function readLedger(db: Queryable): Promise<readonly LedgerRow[]> {
  if (!(await hasLedger(db))) return [];
  return db.query<LedgerRow>(
    `select source, name, checksum
     from service.migrations
     order by applied_at, source desc, name`,
  );
}

async function hasLedger(db: Queryable): Promise<boolean> {
  const [found] = await db.query<{ exists: boolean }>(
    "select to_regclass('service.migrations') is not null as exists",
  );
  return found?.exists ?? false;
}

/** Notes that the file is applied; in its transaction. */
export async function addToLedger(db: Queryable, file: MigrationFile): Promise<void> {
  await db.query("insert into service.migrations (source, name, checksum) values ($1, $2, $3)", [
    file.source,
    file.name,
    file.checksum,
  ]);
}
