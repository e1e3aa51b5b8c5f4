import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { isUnavailable, lockNumbers, sqlState } from "../../runtime/db/index.js";
import { role } from "./cluster.js";
import { type ClusterConfig, serverHost } from "./data-folder.js";
import { EmbeddedError } from "./error.js";
import { findServerProcess, type ServerProcess } from "./server-process.js";

/** One command's use of the running server. The server is not stopped while any session is open. */
export interface Session {
  readonly client: pg.Client;
  readonly server: ServerProcess;
}

/** Connects to the server that runs on the app's data; returns null if none is ready. */
export async function joinServer(config: ClusterConfig): Promise<Session | null> {
  const server = findServerProcess(config.data);
  if (server === null) return null;
  const client = new pg.Client({
    host: serverHost,
    port: server.port,
    user: role,
    password: config.password,
    database: "postgres",
    // The server does not support TLS, whatever PGSSLMODE requires of other servers.
    ssl: false,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    application_name: "service command",
  });
  // A lost connection is reported by the next statement; without a listener, this event would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select pg_advisory_lock_shared($1)", [lockNumbers.embeddedUse]);
    return { client, server };
  } catch (error) {
    client.end().catch(() => {});
    if (isUnavailable(error)) return null;
    if (sqlState(error) !== "28P01") throw error;
    throw new EmbeddedError(
      `The embedded PostgreSQL in ${config.data} rejects the password in .service/database.json`,
      "restore that file, or remove .service/ and the data directory to start with an empty database",
    );
  }
}

/** Ends the session. The last session to end stops the server and waits until it has exited. */
export async function leaveServer(session: Session, config: ClusterConfig): Promise<void> {
  if (await isLast(session.client)) await stopServer(session.server, config);
  await session.client.end().catch(() => {});
}

/**
 * Whether this is the last session. A session releases its shared lock before it requests the exclusive one: of several
 * that end concurrently, one gets it.
 */
async function isLast(client: pg.Client): Promise<boolean> {
  try {
    await client.query("select pg_advisory_unlock_shared($1)", [lockNumbers.embeddedUse]);
    const answer = await client.query("select pg_try_advisory_lock($1) as last", [
      lockNumbers.embeddedUse,
    ]);
    return answer.rows[0].last;
  } catch (error) {
    // The server stopped or closed the session: another command is responsible for stopping it.
    if (isUnavailable(error)) return false;
    throw error;
  }
}

async function stopServer({ pid }: ServerProcess, config: ClusterConfig): Promise<void> {
  // SIGINT is PostgreSQL's fast shutdown: it ends sessions, writes everything and exits.
  process.kill(pid, "SIGINT");
  const deadline = performance.now() + stopTimeoutMs;
  // The lock file is removed last, after all data is written; the process may remain as a zombie.
  while (findServerProcess(config.data)?.pid === pid) {
    if (performance.now() > deadline) {
      throw new EmbeddedError(
        `The embedded PostgreSQL (process ${pid}) does not stop; its messages are in ${config.log}`,
        "it is still shutting down; the next command waits for it or takes it over",
      );
    }
    await sleep(20);
  }
}

/**
 * Milliseconds to wait for the server to stop. Its last checkpoint writes everything that is not yet on disk, which may
 * be slow.
 */
const stopTimeoutMs = 60_000;
