import { randomBytes } from "node:crypto";
import pg from "pg";
import { type Environment, readDatabaseUrl } from "../../runtime/config/index.js";
import { connectionTo } from "../../runtime/db/index.js";
import { migrate } from "../../runtime/migrate/index.js";
import { startEmbedded } from "../embedded/load.js";

/** A migrated database for one test file of an app. */
export interface TestDatabase {
  readonly url: string;
  /** Drops the database and terminates connections to it. */
  drop(): Promise<void>;
}

/** The configured server, or the app's embedded one. */
interface Server {
  readonly url: string;
  leave(): Promise<void>;
}

/** Creates a database on the configured server and applies all migrations to it. */
export async function createTestDatabase(
  { root, environment }: { readonly root: string; readonly environment: Environment },
  migrations: string,
): Promise<TestDatabase> {
  const server = await serverOf(root, environment);
  try {
    const name = newName();
    await onServer(server, async (admin) => {
      await dropForgotten(admin);
      await create(admin, name);
    });
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    const drop = async () => {
      await onServer(server, (admin) =>
        admin.query(`drop database if exists ${name} with (force)`),
      );
      await server.leave();
    };
    try {
      await migrate({ url: url.href, directory: migrations });
    } catch (error) {
      await drop();
      throw error;
    }
    return { url: url.href, drop };
  } catch (error) {
    await server.leave();
    throw error;
  }
}

async function serverOf(root: string, environment: Environment): Promise<Server> {
  const url = readDatabaseUrl({ root, environment });
  if (url !== null) return { url, leave: async () => {} };
  const embedded = await startEmbedded({ root });
  return { url: embedded.url, leave: () => embedded.stop() };
}

async function onServer(
  { url }: Server,
  work: (admin: pg.Client) => Promise<unknown>,
): Promise<void> {
  const admin = new pg.Client({ ...connectionTo(url) });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}

async function create(admin: pg.Client, name: string): Promise<void> {
  try {
    await admin.query(`create database ${name}`);
    // Its data need not survive a crash of the server.
    await admin.query(`alter database ${name} set synchronous_commit = off`);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "42501")) throw error;
    throw new Error(
      "Tests create their own database, but the configured role may not create databases (alter role … createdb)",
      { cause: error },
    );
  }
}

const prefix = "service_test_";

/** Returns a name that includes the creation time, from which databases of killed processes are recognized later. */
function newName(): string {
  return `${prefix}${Date.now().toString(36)}_${randomBytes(6).toString("hex")}`;
}

/** Milliseconds, longer than any test file runs. */
const forgottenAfter = 86_400_000;

/** Drops databases that killed tests left behind at least a day ago, except those in use. */
async function dropForgotten(admin: pg.Client): Promise<void> {
  const { rows } = await admin.query<{ name: string }>(
    `select datname as name
     from pg_database
     where datname ~ '^${prefix}[0-9a-z]+_[0-9a-f]{12}$'
       and datdba = (select oid from pg_roles where rolname = current_user)`,
  );
  for (const { name } of rows) {
    const made = Number.parseInt(name.slice(prefix.length), 36);
    if (Date.now() - made < forgottenAfter) continue;
    await admin.query(`drop database if exists ${name}`).catch(() => {});
  }
}
