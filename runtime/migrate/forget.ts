import { MigrationError } from "./error.js";
import { type MigrationName, matchesName, nameOf, pathOf, readMigrations } from "./files/files.js";
import { readDatabaseHistory } from "./history/history.js";
import { removeFromLedger } from "./history/ledger.js";
import { withoutFile } from "./history/problems.js";
import { deleteSteps } from "./history/steps.js";
import { type RunOptions, withMigrationLock } from "./run/migration-lock.js";
import { inTransaction } from "./session/transaction.js";

export interface ForgetOptions extends RunOptions {
  /** The number or the name of an applied migration of the app whose file is lost. */
  readonly lost: string;
}

/**
 * Takes a migration whose file is lost out of the database's ledger. What it did to the tables stays.
 *
 * @throws {MigrationError} when its file is there, when no such migration is applied, or several are.
 */
export function forgetMigration(options: ForgetOptions): Promise<MigrationName> {
  return withMigrationLock(options, async ({ db }) => {
    const files = await readMigrations(options.directory);
    const history = await readDatabaseHistory(db);
    const gone = withoutFile(files, history).filter(({ source }) => source === "app");
    const names = new Set(
      gone.map(({ name }) => name).filter((name) => matchesName(name, options.lost)),
    );
    const [name, ...others] = names;
    if (name === undefined) throw notLost(options.lost, files);
    if (others.length > 0) {
      throw new MigrationError(
        `${options.lost} may be ${[...names].join(" or ")}`,
        "give the whole name",
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

function notLost(asked: string, files: readonly MigrationName[]): MigrationError {
  const there = files
    .map(nameOf)
    .find(({ source, name }) => source === "app" && matchesName(name, asked));
  return there === undefined
    ? new MigrationError(
        `No migration ${asked} of the app is applied to this database`,
        "npx service migrate --status lists those that are",
      )
    : new MigrationError(
        `${pathOf(there.name)} is not lost, so it cannot be forgotten`,
        "npx service migrate --down undoes what is applied",
      );
}
