import type { Config } from "../../config/index.js";
import type { Access } from "../../db/index.js";
import { tryTransport } from "../../mail/index.js";
import {
  appliedMigrations,
  type MigrationName,
  migrationsOf,
  notApplied,
  type Release,
} from "../../migrate/at-start.js";
import type { Services } from "../../own-code/index.js";
import { type Check, newCheck } from "./check.js";

/** The parts of a server that the readiness check covers, in the order of its response. */
export type Checks = Readonly<Record<"database" | "migrations" | "storage" | "mailer", Check>>;

export interface CheckedParts extends Pick<Services, "db" | "log"> {
  readonly config: Pick<Config, "mailer">;
  readonly release: Release;
  /** Throws if files cannot be stored at the moment; null if the app stores no files. */
  readonly tryStorage: (() => Promise<void>) | null;
}

/** Milliseconds. */
const oftenMs = 1_000;
const seldomMs = 10_000;

const off: Check = async () => "off";

/** Creates the checks of this process. The applied migrations are compared with those of the app's build. */
export function newChecks({ config, db, log, release, tryStorage }: CheckedParts): Checks {
  const { mailer } = config;
  const often = { log, everyMs: oftenMs };
  const seldom = { log, everyMs: seldomMs, isInBackground: true };
  const expected = migrationsOf(release);
  // If they cannot be read, the `migrations` check reports it.
  expected.catch(() => {});
  return {
    database: newCheck({ ...often, name: "database", run: () => tryDatabase(db) }),
    migrations: newCheck({
      ...often,
      name: "migrations",
      // The server does not start while migrations are pending.
      keptWithoutDatabase: "ok",
      run: async () => refusePending(await expected, await appliedMigrations(db)),
    }),
    storage: tryStorage === null ? off : newCheck({ ...seldom, name: "storage", run: tryStorage }),
    mailer:
      mailer.driver === "none"
        ? off
        : newCheck({ ...seldom, name: "mailer", run: () => tryMailer(mailer.url) }),
  };
}

/**
 * Bypasses the queue of requests, so that load does not fail the check. The connections of such reads are always
 * read-only, so the statement reads the default of new sessions.
 */
async function tryDatabase(db: Access): Promise<void> {
  const [row] = await db.read<{ readonly reads: boolean }>({
    text: `select pg_is_in_recovery() or reset_val = 'on' as reads
     from pg_settings
     where name = 'default_transaction_read_only'`,
    values: [],
    cost: "key",
  });
  if (row?.reads !== false) throw new Error("it is read-only");
}

function refusePending(
  expected: readonly MigrationName[],
  applied: readonly MigrationName[],
): void {
  const [first] = notApplied(expected, applied);
  if (first !== undefined) throw new Error(`${first.name} is not applied`);
}

async function tryMailer(url: string): Promise<void> {
  const reason = await tryTransport(url);
  if (reason !== null) throw new Error(reason);
}
