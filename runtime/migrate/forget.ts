import { sqlPath } from "../values/schema/history/migration-paths.js";
import { listWords } from "../values/text.js";
import { MigrationError } from "./error.js";
import { type MigrationName, matchesName, nameOf, readMigrations } from "./files/files.js";
import { readDatabaseHistory } from "./history/history.js";
import { removeFromLedger } from "./history/ledger.js";
import { withoutFile } from "./history/problems.js";
import { deleteSteps } from "./history/steps.js";
import { type RunOptions, withMigrationLock } from "./run/migration-lock.js";
import { inTransaction } from "./session/transaction.js";

export interface ForgetOptions extends RunOptions {
  /** The number or name of an applied migration of the app whose file is missing. */
  readonly lost: string;
}

/**
 * Removes a migration whose file is missing from the list of applied migrations. Its effects on the tables remain.
 *
 * @throws {MigrationError} if its file exists, or if no or several applied migrations match.
 */
export function forgetMigration(options: ForgetOptions): Promise<MigrationName> {
  return withMigrationLock(options, async ({ db }) => {
    const files = options.files ?? (await readMigrations(options.directory));
    const history = await readDatabaseHistory(db);
    const gone = withoutFile(files, history).filter(({ source }) => source === "app");
    const names = new Set(
      gone.map(({ name }) => name).filter((name) => matchesName(name, options.lost)),
    );
    const [name, ...others] = names;
    if (name === undefined) throw notLost(options.lost, files);
    if (others.length > 0) {
      throw new MigrationError(
        `${options.lost} matches several migrations: ${listWords([...names])}`,
        "use the full name",
      );
    }
    const migration: MigrationName = { source: "app", name };
    await inTransaction(db, async () => {
      await removeFromLedger(db, migration);
      await deleteSteps(db, migration);
    });
    return migration;
  });
}

function notLost(argument: string, files: readonly MigrationName[]): MigrationError {
  const there = files
    .map(nameOf)
    .find(({ source, name }) => source === "app" && matchesName(name, argument));
  return there === undefined
    ? new MigrationError(
        `No migration ${argument} of the app is applied to this database`,
        "npx service migrate --status lists the applied ones",
      )
    : new MigrationError(
        `${sqlPath(there.name)} exists, so the migration cannot be forgotten`,
        "npx service migrate --down undoes applied migrations",
      );
}
