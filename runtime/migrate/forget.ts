import { readHistory, unknownTo } from "./compare.js";
import { MigrationError } from "./error.js";
import { type MigrationName, nameOf, pathOf, readMigrations } from "./files/files.js";
import { isNamed } from "./files/named.js";
import { removeFromLedger } from "./ledger.js";
import { forgetSteps } from "./run/progress.js";
import { inTransaction } from "./session/session.js";
import { type RunOptions, underLock } from "./session/under-lock.js";

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
  return underLock(options, async ({ db }) => {
    const files = await readMigrations(options.directory);
    const history = await readHistory(db);
    const gone = unknownTo(files, history).filter(({ source }) => source === "app");
    const names = new Set(
      gone.map(({ name }) => name).filter((name) => isNamed(name, options.lost)),
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
      await forgetSteps(db, migration);
    });
    return migration;
  });
}

function notLost(asked: string, files: readonly MigrationName[]): MigrationError {
  const there = files
    .map(nameOf)
    .find(({ source, name }) => source === "app" && isNamed(name, asked));
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
