import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type App, type MadeApp, testSetups } from "../../runtime/app/index.js";
import { addTestAccount } from "../../runtime/auth/index.js";
import { type Config, readConfig, readEnvironment } from "../../runtime/config/index.js";
import { type Database, openDatabase } from "../../runtime/db/index.js";
import type { DueRun } from "../../runtime/jobs/index.js";
import { type KeptMail, keptMails } from "../../runtime/mail/index.js";
import { createTestDatabase, type TestDatabase } from "./database.js";
import { newReset } from "./reset.js";

/** An app that runs for one test file, with its own database. */
export interface TestApp<App, Client = undefined> {
  /** For example `http://127.0.0.1:3000`. */
  readonly url: string;
  readonly app: App;
  /** Adds an account and signs it in. */
  account(about?: AboutAccount): Promise<TestAccount<Client>>;
  /** Returns all mails since the start or the last reset, oldest first. Mails are only stored, never sent. */
  mails(): Promise<readonly KeptMail[]>;
  readonly jobs: TestJobs;
  /** Empties all tables after pending hooks that follow writes have finished. */
  reset(): Promise<void>;
  /** Stops the server and drops the app's database. */
  stop(): Promise<void>;
}

/** The app's jobs, which run only on request. */
export interface TestJobs {
  /**
   * Runs due jobs one by one, including those that jobs add, until none is left. With `until`, also runs jobs due by
   * that time, as if it had come: delayed jobs, retries, and one job for each scheduled time.
   */
  run(options?: { readonly until?: Date }): Promise<readonly DueRun[]>;
}

export interface AboutAccount {
  readonly role?: string | null;
  readonly name?: string;
}

export interface TestAccount<Client = undefined> {
  readonly id: string;
  readonly email: string;
  readonly token: string;
  /** The result of `createClient` for the account; undefined without the `createClient` option. */
  readonly client: Client;
}

export interface TestOptions<Client> {
  /** `createClient` of the app's `client.ts`. */
  readonly createClient?: (options: { readonly url: string; readonly token: string }) => Client;
}

/** The type of the app that `make` returns. A module such as `server.ts` need not export the app that it starts. */
export type AppOf<Made> = Made extends App ? Made : App;

/** Resources to release when the app stops. */
interface Running {
  database?: TestDatabase;
  made?: MadeApp;
  db?: Database;
}

/**
 * Creates the app on a new, migrated database on the configured or embedded server, and serves it
 * on a free port of 127.0.0.1. `make` calls `createApp`, or imports the `server.ts` that does.
 * Rejects if the app cannot start.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { startTestApp } from "service-cli/testing";
 *
 * const app = await startTestApp(() => import("./server.js"));
 * const { token } = await app.account({ role: "admin" });
 * const headers = { authorization: `Bearer ${token}` };
 * assert.equal((await fetch(`${app.url}/api/tasks`, { headers })).status, 200);
 * await app.stop();
 * ```
 */
export async function startTestApp<Made, Client = undefined>(
  make: () => Promise<Made>,
  { createClient }: TestOptions<Client> = {},
): Promise<TestApp<AppOf<Made>, Client>> {
  const storage = await mkdtemp(join(tmpdir(), "service-test-"));
  const test: Running = {};

  async function configure(root: string): Promise<Config> {
    if (test.database !== undefined)
      throw new Error("startTestApp: the function `make` may create only one app");
    const environment = { ...testVariables(), ...readEnvironment(root), NODE_ENV: "test" };
    test.database = await createTestDatabase({ root, environment }, join(root, "migrations"));
    const { url } = test.database;
    return configOf(readConfig({ root, environment, databaseUrl: url }), storage);
  }

  async function end(): Promise<void> {
    await test.made?.app.close();
    await test.db?.close();
    await test.database?.drop();
    await rm(storage, { recursive: true, force: true });
  }

  try {
    const onMade = (made: MadeApp) => {
      test.made = made;
    };
    const url = await testSetups.run({ configure, onMade }, async () => {
      await make();
      return (test.made ?? missing()).app.listen();
    });
    const { services, after, app, jobs } = test.made ?? missing();
    const { url: databaseUrl } = services.config.database;
    test.db = openDatabase({ url: databaseUrl, poolSize: 1, prepare: true });
    const reset = await newReset(test.db);
    let accounts = 0;
    return {
      url,
      // The result of `make`, unless it is a module.
      app: app as AppOf<Made>,
      account: async ({ role = null, name = "Somebody" } = {}) => {
        if (!services.config.auth.enabled) {
          throw new Error("account: auth.enabled is false, so the app has no built-in accounts");
        }
        accounts += 1;
        const email = `somebody-${accounts}@example.com`;
        const account = await addTestAccount(services, { name, email, role });
        const client = createClient?.({ url: `${url}/api`, token: account.token });
        // Without the `createClient` option, `Client` is undefined.
        return { ...account, client: client as Client };
      },
      mails: () => keptMails(services.db, services.config),
      jobs: {
        run: async (options) => {
          if (jobs === null) throw new Error("jobs.run: the app has no jobs");
          await after.idle();
          return jobs.runDue(options);
        },
      },
      reset: async () => {
        await after.idle();
        await reset();
      },
      stop: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** Settings that a server needs and tests may omit. */
function testVariables() {
  return {
    SERVICE_LOG_LEVEL: "error",
    SERVICE_SECRET: randomBytes(32).toString("base64url"),
  };
}

/** Adapts the configuration: nothing leaves this machine, and no resource of another process is used. */
function configOf(config: Config, storage: string): Config {
  const { server, auth, uploads, mailer } = config;
  return {
    ...config,
    server: { ...server, host: "127.0.0.1", port: 0, workers: 1, metrics: null },
    auth: { ...auth, checkBreachedPasswords: false },
    uploads: { ...uploads, storage: { driver: "disk", path: storage } },
    // No server listens on this port, so mails are only stored.
    mailer: { driver: "smtp", from: mailer.from, url: "smtp://127.0.0.1:9" },
    warnings: [],
  };
}

function missing(): never {
  throw new Error(
    "startTestApp: make did not call createApp; a module runs only once in a process",
  );
}
