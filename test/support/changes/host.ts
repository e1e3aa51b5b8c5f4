import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { type Embedded, startEmbedded } from "../../../bin/embedded/load.js";
import { type Database, openDatabase } from "../../../runtime/db/index.js";
import { migrate } from "../../../runtime/migrate/index.js";
import { addAccount, newSession } from "../accounts/accounts.js";
import { makeAppFolder, removeAppFolder } from "../apps/app-folder.js";
import { compileApp } from "../apps/compiled-app.js";
import { hasPgbouncer, openPgbouncer } from "../database/pgbouncer.js";
import { listening, runServer, type ServerProcess } from "../processes/shop-process.js";

/** An app whose servers are processes, on a separate PostgreSQL. Both can be killed. */
export interface ChangesHost {
  /** The app's folder. */
  readonly root: string;
  readonly databaseUrl: string;
  readonly db: Database;
  /** A new account, with a token. */
  account(role: string | null): Promise<{ readonly id: string; readonly token: string }>;
  /** Starts a server; every other one reaches the database through a proxy that pools transactions. */
  serve(
    number: number,
    env?: Readonly<Record<string, string>>,
  ): Promise<{ readonly url: string; readonly process: ServerProcess }>;
  /** Kills PostgreSQL and starts it again. */
  killDatabase(): Promise<void>;
  /** Leaves a transaction open in another database of this PostgreSQL. */
  holdElsewhere(): Promise<void>;
  close(): Promise<void>;
}

export interface HostOptions {
  readonly descriptors: ReadonlyMap<string, string>;
  readonly settings: string;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: the settings take it from the environment.
const prepare = "database: { prepare: '${PREPARE:-true}' }\n";

const password = "a password of the tests";

export async function openChangesHost({
  descriptors,
  settings,
}: HostOptions): Promise<ChangesHost> {
  const root = makeAppFolder();
  await compileApp(root, { descriptors, settings: prepare + settings });
  const start = () => startEmbedded({ root, settings: { fsync: "off" } });
  let database: Embedded = await start();
  const { url } = database;
  await migrate({ url, directory: join(root, "migrations") });
  const proxy = hasPgbouncer ? await openPgbouncer(url) : null;
  const db = openDatabase({ url, poolSize: 4, prepare: true });
  const [folder] = await db.query<{ data_directory: string }>("show data_directory");
  await db.query("create database elsewhere");
  const processes: ServerProcess[] = [];
  let elsewhere: pg.Client | null = null;
  let accounts = 0;

  async function holdElsewhere(): Promise<void> {
    const address = new URL(url);
    address.pathname = "/elsewhere";
    elsewhere = new pg.Client({ connectionString: address.href });
    elsewhere.on("error", () => {});
    await elsewhere.connect();
    await elsewhere.query("create table if not exists held (n int)");
    await elsewhere.query("begin");
    await elsewhere.query("insert into held values (1)");
  }

  async function serve(
    number: number,
    env: Readonly<Record<string, string>> = {},
    tries = 20,
  ): ReturnType<ChangesHost["serve"]> {
    const behind =
      number % 2 === 1 && proxy !== null ? { DATABASE_URL: proxy.url, PREPARE: "false" } : {};
    const started = runServer(root, { DATABASE_URL: url, ...behind, ...env });
    processes.push(started);
    try {
      return { url: await listening(started), process: started };
    } catch (error) {
      // The proxy refuses everybody for some seconds after PostgreSQL was away.
      if (tries === 1) throw error;
      await sleep(500);
      return serve(number, env, tries - 1);
    }
  }

  return {
    root,
    databaseUrl: url,
    db,
    holdElsewhere,
    async account(role) {
      accounts += 1;
      const name = `Account ${accounts}`;
      const email = `account-${accounts}@example.com`;
      const id = await addAccount(db, { email, name, role, password });
      return { id, token: await newSession(db, id) };
    },
    serve: (number, env) => serve(number, env),
    async killDatabase() {
      const file = join(folder?.data_directory ?? "", "postmaster.pid");
      process.kill(Number(readFileSync(file, "utf8").split("\n")[0]), "SIGKILL");
      await database.stop().catch(() => {});
      database = await start();
    },
    async close() {
      for (const one of processes) one.kill("SIGKILL");
      await Promise.all(processes);
      await elsewhere?.end().catch(() => {});
      await proxy?.close();
      await db.close();
      await database.stop();
      removeAppFolder(root);
    },
  };
}
