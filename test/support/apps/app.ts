import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { App, AppOptions } from "service/runtime/app";
import { createAccount } from "../../../runtime/auth/index.js";
import { systemClock } from "../../../runtime/clock/index.js";
import { readConfig, readEnvironment } from "../../../runtime/config/index.js";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { migrate } from "../../../runtime/migrate/index.js";
import { createDatabase } from "../database/database.js";
import { client, hangUp } from "../http/client.js";

/** A fixture's server, listening, on a database of its own. */
export interface RunningApp {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Of an account with the role `admin`. */
  readonly token: string;
  /** The app's database, past the API. */
  readonly db: Database;
  readonly databaseUrl: string;
  /** The folder in which the shop stores files. */
  readonly storage: string;
  /** Makes an account with that role and signs it in; the answer is its token. */
  signIn(role: string | null): Promise<string>;
  /** Stops the server and removes the database. */
  close(): Promise<void>;
}

/** The fixtures that are started: folders below `fixtures/`. */
export type FixtureApp =
  | "apps/shop"
  | "apps/northwind"
  | "cases/combinations"
  | "cases/account-cascades"
  | "cases/cascades"
  | "names";

/**
 * Starts the server of a fixture in this process, from its generated code. `options` go to its
 * `createApp`; `prepare` may put things into the app before it listens.
 */
export async function startApp(
  name: FixtureApp,
  options: AppOptions = {},
  prepare: (app: App) => void = () => {},
): Promise<RunningApp> {
  const root = resolve(import.meta.dirname, "../../../fixtures", name);
  const database = await createDatabase();
  await migrate({ url: database.url, directory: `${root}/migrations` });
  const storage = mkdtempSync(join(tmpdir(), "service-storage-"));
  Object.assign(process.env, {
    DATABASE_URL: database.url,
    SHOP_STORAGE: storage,
    PORT: "0",
    SERVICE_LOG_LEVEL: "error",
    SERVICE_SECRET: "a secret of the tests, long enough",
  });
  const generated: { createApp(options: AppOptions): Promise<App> } = await import(
    pathToFileURL(`${root}/generated/app.ts`).href
  );
  const app = await generated.createApp(options);
  prepare(app);
  const url = await app.listen();
  const config = readConfig({ root, environment: readEnvironment(root) });
  const db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  let accounts = 0;

  async function signIn(role: string | null): Promise<string> {
    accounts += 1;
    const email = `caller-${accounts}@example.com`;
    const password = "a password of the tests";
    await createAccount(
      { db, clock: systemClock, config },
      { email, password, role, name: `Caller ${accounts}` },
    );
    const reply = await client(url, null).post<{ token: string }>("/auth/token", {
      email,
      password,
    });
    if (reply.status !== 201) throw new Error(`${email} cannot sign in: ${reply.text}`);
    return reply.body.token;
  }

  return {
    url,
    db,
    databaseUrl: database.url,
    storage,
    token: await signIn("admin"),
    signIn,
    close: async () => {
      hangUp(url);
      await app.close();
      await db.close();
      await database.drop();
      rmSync(storage, { recursive: true });
    },
  };
}
