import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { lockNumbers } from "../../runtime/db/index.js";
import { findBinaries } from "./binaries.js";
import { ensureCluster, role } from "./cluster.js";
import { type ClusterConfig, ensureConfig, serverHost } from "./data-folder.js";
import { EmbeddedError } from "./error.js";
import { findServerProcess, spawnServerProcess } from "./server-process.js";
import { joinServer, leaveServer, type Session } from "./session.js";

export interface EmbeddedOptions {
  readonly root: string;
  /** Settings of PostgreSQL for a server that this call starts, such as `{ fsync: "off" }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** One use of the app's embedded database; several can share the server. */
export interface Embedded {
  /** The URL of the database `app`, with its password. */
  readonly url: string;
  /** Replaces the database with an empty one and terminates other connections to it. */
  empty(): Promise<void>;
  /** Ends this use. The last one stops the server and waits until it has exited. */
  stop(): Promise<void>;
}

/**
 * Starts the app's embedded PostgreSQL or joins the running one, which a killed command may have left behind. Several
 * commands share it; its state is in the app's `.service/`.
 *
 * @throws {EmbeddedError} if PostgreSQL is not installed, or does not start within 30 seconds.
 */
export async function startEmbedded({ root, settings = {} }: EmbeddedOptions): Promise<Embedded> {
  const config = await ensureConfig(root);
  const session = (await joinServer(config)) ?? (await startServer(config, settings));
  await ensureDatabase(session.client);
  const { port } = session.server;
  let stopped: Promise<void> | undefined;
  return {
    url: addressOf(config, port),
    empty: () => replaceDatabase(session.client),
    stop: () => {
      stopped ??= leaveServer(session, config);
      return stopped;
    },
  };
}

/** The location of the app's embedded database, whether or not it exists yet. */
export interface Located {
  readonly url: string;
  readonly isRunning: boolean;
}

/** Finds the address without starting the server, which may get another port if this one is taken when it starts. */
export async function locateEmbedded(root: string): Promise<Located> {
  const config = await ensureConfig(root);
  const server = existsSync(config.data) ? findServerProcess(config.data) : null;
  return {
    url: addressOf(config, server?.port ?? config.port),
    isRunning: server !== null,
  };
}

function addressOf({ password }: ClusterConfig, port: number): string {
  // The server does not support TLS, whatever PGSSLMODE requires of other servers.
  return `postgres://${role}:${password}@${serverHost}:${port}/${database}?sslmode=disable`;
}

const database = "app";

/** Milliseconds to wait for a start, which takes longer only if a crash left much to recover. */
const startTimeoutMs = 30_000;

/**
 * Maximum number of exits before a start fails. A server that exits is restarted: its port may be taken, or processes
 * of a killed server may still be ending.
 */
const maxExits = 10;
const pauseMs = 300;

async function startServer(
  config: ClusterConfig,
  settings: Readonly<Record<string, string>>,
): Promise<Session> {
  const binaries = findBinaries(config.account, config.copies);
  await ensureCluster(config, binaries, settings.fsync === "off" ? "quick" : "durable");
  const deadline = performance.now() + startTimeoutMs;
  let exits = 0;
  let child: ChildProcess | undefined;
  while (performance.now() < deadline && exits < maxExits) {
    const session = await joinServer(config);
    if (session !== null) return session;
    if (findServerProcess(config.data) === null && child === undefined) {
      child = await spawnServerProcess(config, binaries, settings);
      child.once("exit", () => {
        exits += 1;
        setTimeout(() => {
          child = undefined;
        }, pauseMs);
      });
    }
    await sleep(50);
  }
  throw new EmbeddedError(
    `The embedded PostgreSQL does not start. Its last messages (${config.log}):\n${tail(config.log)}`,
    "fix what they report, or set DATABASE_URL to use your own PostgreSQL",
  );
}

async function replaceDatabase(client: pg.Client): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [lockNumbers.embeddedCreation]);
  try {
    await client.query(`drop database if exists ${database} with (force)`);
    await client.query(`create database ${database}`);
  } finally {
    await client.query("select pg_advisory_unlock($1)", [lockNumbers.embeddedCreation]);
  }
}

/**
 * Creates the database if it is missing. PostgreSQL has no `create database if not exists`; the lock prevents a race
 * between two commands.
 */
async function ensureDatabase(client: pg.Client): Promise<void> {
  await client.query("select pg_advisory_lock($1)", [lockNumbers.embeddedCreation]);
  const found = await client.query("select 1 from pg_database where datname = $1", [database]);
  if (found.rowCount === 0) await client.query(`create database ${database}`);
  await client.query("select pg_advisory_unlock($1)", [lockNumbers.embeddedCreation]);
}

function tail(log: string): string {
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-10).join("\n");
}
