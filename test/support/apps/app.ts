import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { App, AppOptions } from "service-runtime/app";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import type { Hooks } from "../../../runtime/own-code/index.js";
import { addAccount, newSession } from "../accounts/accounts.js";
import { migratedDatabase, type TestDatabase } from "../database/database.js";
import { hangUp } from "../http/client.js";
import { checkAnswers, ignoreAnswers } from "../openapi/answers.js";
import { withVariables } from "../processes/environment.js";

/** A fixture's server, listening, on a separate database. */
export interface RunningApp {
  /** `http://127.0.0.1:<port>` */
  readonly url: string;
  /** Token of an account with the role `admin`. */
  readonly token: string;
  /** The app's database, for direct SQL. */
  readonly db: Database;
  readonly databaseUrl: string;
  /** The folder in which the shop stores files. */
  readonly storage: string;
  /** Creates an account with this role, signs it in and returns its token. */
  signIn(role: string | null): Promise<string>;
  /** Stops the server and removes the database. */
  close(): Promise<void>;
}

/** The fixtures that are started: folders below `fixtures/`. */
export type FixtureApp =
  | "apps/shop"
  | "apps/northwind"
  | "apps/market"
  | "apps/events"
  | "apps/notes"
  | "apps/outbox"
  | "apps/stock"
  | "apps/teams"
  | "cases/combinations"
  | "cases/account-cascades"
  | "cases/cascades"
  | "names";

/**
 * The hooks of a fixture. Imported by its path: two apps in one program of the compiler would have to agree about
 * the locals of own routes.
 */
export async function appHooks(name: FixtureApp): Promise<Hooks> {
  const path = resolve(import.meta.dirname, "../../../fixtures", name, "hooks.ts");
  return (await import(pathToFileURL(path).href)).hooks;
}

/**
 * Starts the server of a fixture in this process, from its generated code. `options` go to its
 * `createApp`; `prepare` may put things into the app before it listens. It closes the database, which may be a given one.
 */
export async function startApp(
  name: FixtureApp,
  options: AppOptions = {},
  prepare?: (app: App) => void,
  given?: TestDatabase,
): Promise<RunningApp> {
  const root = resolve(import.meta.dirname, "../../../fixtures", name);
  const database = given ?? (await migratedDatabase(join(root, "migrations")));
  const storage = mkdtempSync(join(tmpdir(), "service-storage-"));
  const generated: { createApp(options: AppOptions): Promise<App> } = await import(
    pathToFileURL(`${root}/generated/app.ts`).href
  );
  const variables = {
    DATABASE_URL: database.url,
    SHOP_STORAGE: storage,
    PORT: "0",
    SERVICE_LOG_LEVEL: "error",
    SERVICE_SECRET: "a secret of the tests, long enough",
  };
  const { app, url } = await withVariables(variables, async () => {
    const app = await generated.createApp(options);
    prepare?.(app);
    const url = await app.listen();
    return { app, url };
  });
  checkAnswers(url, name, {
    hasAppRoutes: options.routes !== undefined || prepare !== undefined,
  });
  const db = openDatabase({ url: database.url, poolSize: 2, prepare: true });
  let accounts = 0;

  async function signIn(role: string | null): Promise<string> {
    accounts += 1;
    const email = `caller-${accounts}@example.com`;
    const person = { email, role, name: `Caller ${accounts}`, password: "a password of the tests" };
    return newSession(db, await addAccount(db, person));
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
      ignoreAnswers(url);
      await db.close();
      await database.drop();
      rmSync(storage, { recursive: true });
    },
  };
}
