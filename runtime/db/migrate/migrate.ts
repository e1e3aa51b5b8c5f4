import type { Queryable } from "../database.js";
import { applyMigration } from "./apply.js";
import { pendingOf } from "./compare.js";
import { type OnWarning, withConnection } from "./connect.js";
import { MigrationError } from "./error.js";
import { type MigrationName, readMigrations } from "./files.js";
import { ensureLedger, readLedger } from "./ledger.js";

export interface MigrationTarget {
  readonly url: string;
  /** The app's `migrations/`; it need not exist. */
  readonly directory: string;
}

export interface MigrateOptions extends MigrationTarget {
  /** Tells what would be applied and leaves the database as it is. */
  readonly dryRun?: boolean;
  /** Hears what the migrations did without, such as an extension that is not installed. */
  readonly onWarning?: OnWarning;
}

export interface MigrationResult {
  /** By this run for `migrate`, ever for `migrationStatus`; in the order in which it was done. */
  readonly applied: readonly MigrationName[];
  /** What is still to be applied. */
  readonly pending: readonly MigrationName[];
}

/**
 * Applies the package's migrations, then the app's; each in its own transaction. Two at once wait
 * for each other, and the second finds nothing to do.
 *
 * @throws {MigrationError} when an applied file was changed or is gone, when a file fails, or when
 * the database cannot be reached.
 */
export async function migrate(options: MigrateOptions): Promise<MigrationResult> {
  if (options.dryRun) return { ...(await migrationStatus(options)), applied: [] };
  const files = await readMigrations(options.directory);
  return withConnection(options, async (db) => {
    await db.query("set statement_timeout to 0");
    // Held until the connection ends.
    await db.query("select pg_advisory_lock($1)", [migrating]);
    await ensureLedger(db);
    const pending = pendingOf(files, await readLedger(db));
    for (const file of pending) await applyMigration(db, file);
    return { applied: pending.map(nameOf), pending: [] };
  });
}

/**
 * What was applied and what is pending; changes nothing.
 *
 * @throws {MigrationError} as `migrate`.
 */
export async function migrationStatus(target: MigrationTarget): Promise<MigrationResult> {
  const files = await readMigrations(target.directory);
  return withConnection(target, async (db) => {
    const ledger = await readLedger(db);
    return { applied: ledger.map(nameOf), pending: pendingOf(files, ledger).map(nameOf) };
  });
}

/**
 * What a server must wait for before it starts on this database.
 *
 * @throws {MigrationError} when an applied file was changed or is gone, or when the app's tables would
 * be sought elsewhere than in `public`.
 */
export async function pendingMigrations(
  db: Queryable,
  directory: string,
): Promise<readonly MigrationName[]> {
  await refuseOtherSchema(db);
  const files = await readMigrations(directory);
  return pendingOf(files, await readLedger(db)).map(nameOf);
}

/** No search path is sent through a proxy, and a role called `service` has another schema first. */
async function refuseOtherSchema(db: Queryable): Promise<void> {
  const [found] = await db.query<{ schema: string | null; role: string }>(
    "select current_schema() as schema, quote_ident(current_user) as role",
  );
  if (found === undefined || found.schema === "public") return;
  throw new MigrationError(
    `The database looks for the app's tables in the schema ${found.schema}. Run in it: alter role ${found.role} set search_path = public`,
    "A proxy that pools by transaction passes no search_path on, so the role has to have it",
  );
}

/** The advisory lock of whoever changes the schema. */
const migrating = 7_364_003;

function nameOf({ source, name }: MigrationName): MigrationName {
  return { source, name };
}
