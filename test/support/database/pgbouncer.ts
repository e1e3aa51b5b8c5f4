import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "../../../bin/embedded/port.js";

/** A proxy in front of PostgreSQL that gives each transaction any of its few connections. */
export interface Pgbouncer {
  readonly url: string;
  close(): Promise<void>;
}

/** Debian installs it outside of the usual search path. */
const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };

export const hasPgbouncer =
  spawnSync("pgbouncer", ["--version"], { env: environment }).status === 0;

/** Starts one in front of the database of this address, and as its role. */
export async function openPgbouncer(address: string): Promise<Pgbouncer> {
  const { hostname, port, username, password, pathname } = new URL(address);
  const folder = mkdtempSync(join(tmpdir(), "pgbouncer-"));
  const ownPort = await freePort("127.0.0.1");
  const settings = `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
max_client_conn = 200
`;
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(file, settings);
  chmodSync(folder, 0o755);
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
  const child = spawn("pgbouncer", ["-q", ...account, file], { env: environment, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const url = `postgres://anybody@127.0.0.1:${ownPort}${pathname}`;
  await answering(url);
  return {
    url,
    close: async () => {
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function answering(url: string, tries = 100): Promise<void> {
  const client = new pg.Client(url);
  client.on("error", () => {});
  try {
    await client.connect();
    await client.end();
  } catch (error) {
    if (tries === 1) throw error;
    await new Promise((resolve) => setTimeout(resolve, 50));
    await answering(url, tries - 1);
  }
}
