import type { Config } from "../../config/index.js";
import type { Access } from "../../db/index.js";
import { tryTransport } from "../../mail/index.js";
import { type MigrationName, migrationsOf, type Release } from "../../migrate/at-start.js";
import type { Services } from "../../own-code/index.js";
import { type Check, newCheck } from "./check.js";

/** The parts of a server that a readiness check asks about, in the order of its answer. */
export type Checks = Readonly<Record<"database" | "migrations" | "storage" | "mailer", Check>>;

export interface CheckedParts extends Pick<Services, "db" | "log"> {
  readonly config: Pick<Config, "mailer">;
  readonly release: Release;
  /** Throws where files cannot be stored at present; null where nothing can be stored at all. */
  readonly tryStorage: (() => Promise<void>) | null;
}

/** Milliseconds. */
const oftenMs = 1_000;
const seldomMs = 10_000;

const off: Check = async () => "off";

/** The checks of this process. What is applied is compared with what the app was built with. */
export function newChecks({ config, db, log, release, tryStorage }: CheckedParts): Checks {
  const { mailer } = config;
  const often = { log, everyMs: oftenMs };
  const seldom = { log, everyMs: seldomMs, isInBackground: true };
  const expected = migrationsOf(release);
  // Where they cannot be read, the check says so.
  expected.catch(() => {});
  return {
    database: newCheck({ ...often, name: "database", run: () => tryDatabase(db) }),
    migrations: newCheck({
      ...often,
      name: "migrations",
      // A start without them is refused.
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
 * Not queued behind the statements of requests: it must not fail because they are many. Those connections read only,
 * whatever the server allows, so it is asked what a session would have by default.
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

/** The migrations that the database has. */
export function appliedMigrations(db: Pick<Access, "read">): Promise<readonly MigrationName[]> {
  return db.read<MigrationName>({
    text: "select source, name from service.migrations",
    values: [],
    cost: "key",
  });
}

/** Those of `expected` that are not applied. */
export function notApplied(
  expected: readonly MigrationName[],
  applied: readonly MigrationName[],
): readonly MigrationName[] {
  const names = new Set(applied.map(({ source, name }) => `${source} ${name}`));
  return expected.filter(({ source, name }) => !names.has(`${source} ${name}`));
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
