import { chmodSync } from "node:fs";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { type Embedded, startEmbedded } from "../../../bin/embedded/load.js";
import { makeAppFolder, removeAppFolder } from "../apps/app-folder.js";
import { sumOfJudged } from "../openapi/judged-count.js";

declare module "vitest" {
  interface ProvidedContext {
    /** A database that stays unchanged, as a superuser, from which new ones are created. */
    readonly postgresUrl: string;
    /** A folder for what the files of a run make once and share; every account can pass through it. */
    readonly runFolder: string;
  }
}

interface RunServer {
  readonly root: string;
  readonly server: Embedded;
}

declare global {
  /** Vitest loads this file once for each project, all in one process. */
  var postgresOfRun: { users: number; readonly started: Promise<RunServer> } | undefined;
}

/** Vitest: one PostgreSQL for all projects of a run that name this file. */
export async function setup(project: TestProject): Promise<void> {
  globalThis.postgresOfRun ??= { users: 0, started: start() };
  globalThis.postgresOfRun.users += 1;
  const { root, server } = await globalThis.postgresOfRun.started;
  project.provide("postgresUrl", server.url);
  project.provide("runFolder", root);
}

/** Vitest: the last project stops it and leaves nothing behind. */
export async function teardown(): Promise<void> {
  const run = globalThis.postgresOfRun;
  if (run === undefined) return;
  run.users -= 1;
  if (run.users > 0) return;
  globalThis.postgresOfRun = undefined;
  const { root, server } = await run.started;
  await server.stop();
  try {
    console.log(sumOfJudged(root));
  } finally {
    removeAppFolder(root);
  }
}

/** Fast because it may forget everything in a crash. */
async function start(): Promise<RunServer> {
  const root = makeAppFolder();
  // Open to pass through, so that the data of a run by root is in this folder too.
  chmodSync(root, 0o711);
  const settings = {
    max_connections: "300",
    // A thousand databases are made in a run, each copied from a template.
    shared_buffers: "256MB",
    fsync: "off",
    full_page_writes: "off",
    synchronous_commit: "off",
    wal_level: "minimal",
    max_wal_senders: "0",
    wal_init_zero: "off",
    max_wal_size: "512MB",
  };
  const server = await startEmbedded({ root, settings });
  await hashPasswordQuickly(server.url);
  return { root, server };
}

/** The thousands of connections of a run would spend a fifth of their time on proving that they know the password. */
async function hashPasswordQuickly(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("set scram_iterations = 1");
  await client.query(`alter role current_user password '${new URL(url).password}'`);
  await client.end();
}
