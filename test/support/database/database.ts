import { createHash, randomBytes } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import { migrate } from "../../../runtime/migrate/index.js";

/** A database of one test file. */
export interface TestDatabase {
  readonly url: string;
  /** Drops it, with connections that are still open. */
  drop(): Promise<void>;
}

/** A new database with the package's tables. */
export function createDatabase(): Promise<TestDatabase> {
  return migratedDatabase("no migrations of an app");
}

/** A new database with the package's tables and an app's, cloned from a template that is migrated once a run. */
export function migratedDatabase(migrations: string): Promise<TestDatabase> {
  return withAdmin(async (admin) => {
    const template = templateOf(migrations);
    await ensureTemplate(admin, template, migrations);
    return create(admin, template);
  });
}

/** A new empty database. */
export function emptyDatabase(): Promise<TestDatabase> {
  return withAdmin((admin) => create(admin, "template0"));
}

/** A copy of another database, which must have no connections. */
export function cloneDatabase({ url }: Pick<TestDatabase, "url">): Promise<TestDatabase> {
  return withAdmin((admin) => create(admin, new URL(url).pathname.slice(1)));
}

/** Does the work once in this run; others wait for its end. */
export function onceARun(isDone: () => boolean, work: () => Promise<void>): Promise<void> {
  return withAdmin((admin) =>
    locked(admin, async () => {
      if (!isDone()) await work();
    }),
  );
}

function templateOf(migrations: string): string {
  return `template_${createHash("sha256").update(migrations).digest("hex").slice(0, 12)}`;
}

/** Those that this process knows to be there. */
const ensured = new Set<string>();

/** Made under another name and renamed, so that it is whole as soon as it is there. */
async function ensureTemplate(
  admin: pg.Client,
  template: string,
  migrations: string,
): Promise<void> {
  if (ensured.has(template)) return;
  await locked(admin, async () => {
    const found = await admin.query("select 1 from pg_database where datname = $1", [template]);
    if (found.rowCount !== 0) return;
    await admin.query("drop database if exists template_draft");
    await admin.query("create database template_draft strategy file_copy");
    await migrate({ url: urlOf("template_draft"), directory: migrations });
    await admin.query(`alter database template_draft rename to ${template}`);
  });
  ensured.add(template);
}

/** Alone of all test files. The connection's end gives the lock up as well, which comes when the work fails. */
async function locked(admin: pg.Client, work: () => Promise<void>): Promise<void> {
  await admin.query("select pg_advisory_lock(1)");
  await work();
  await admin.query("select pg_advisory_unlock(1)");
}

async function create(admin: pg.Client, source: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString("hex")}`;
  // PostgreSQL's other strategy writes each page to the log as well.
  await admin.query(`create database ${name} template ${source} strategy file_copy`);
  return {
    url: urlOf(name),
    drop: () =>
      withAdmin(async (client) => {
        await client.query(`drop database ${name} with (force)`);
      }),
  };
}

/** Unused connections. They end with this process, since to open one costs as much as to create a database. */
const idleAdmins: pg.Client[] = [];

async function withAdmin<T>(work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = idleAdmins.pop() ?? (await connectAdmin());
  try {
    const done = await work(admin);
    idleAdmins.push(admin);
    return done;
  } catch (error) {
    // It may hold the lock.
    await admin.end();
    throw error;
  }
}

async function connectAdmin(): Promise<pg.Client> {
  const admin = new pg.Client({ connectionString: inject("postgresUrl") });
  // The next use reports that the server is gone; without a listener this process would end.
  admin.on("error", () => {});
  await admin.connect();
  return admin;
}

function urlOf(database: string): string {
  const url = new URL(inject("postgresUrl"));
  url.pathname = `/${database}`;
  // Tests add parameters of their own.
  url.search = "";
  return url.href;
}
