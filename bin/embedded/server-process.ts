import { type ChildProcess, spawn } from "node:child_process";
import {
  closeSync,
  openSync,
  readFileSync,
  type Stats,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { asAccount } from "./account.js";
import type { Binaries } from "./binaries.js";
import { type ClusterConfig, serverHost } from "./data-folder.js";
import { freePort } from "./port.js";

export interface ServerProcess {
  readonly pid: number;
  readonly port: number;
}

/** Finds the server that is running, starting or stopping on this data directory, from PostgreSQL's lock file. */
export function findServerProcess(data: string): ServerProcess | null {
  const lock = readLock(data);
  if (lock === null || !isAlive(lock.pid) || !worksIn(data, lock)) return null;
  return { pid: lock.pid, port: lock.port };
}

/** Starts a server in a separate session, so that Ctrl+C in the terminal stops only the command. */
export async function spawnServerProcess(
  config: ClusterConfig,
  binaries: Binaries,
  settings: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const port = await freePort(serverHost, config.port);
  releaseForeignLock(config.data);
  if (statSync(config.log).size > maxLogBytes) truncateSync(config.log);
  const log = openSync(config.log, "a");
  const options = {
    listen_addresses: serverHost,
    unix_socket_directories: "",
    // By default, the path begins with the schema named after the role, which belongs to the runtime.
    search_path: "public",
    ...settings,
  };
  const args = Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(
    join(binaries, "bin", "postgres"),
    ["-D", config.data, "-p", String(port), ...args],
    { ...asAccount(config.account), detached: true, stdio: ["ignore", log, log] },
  );
  closeSync(log);
  server.unref();
  return server;
}

/** Whether a process with that id exists (a zombie counts). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

const maxLogBytes = 1_000_000;

interface Lock extends ServerProcess {
  /** The path of the data directory at the time the server started. */
  readonly data: string;
}

function readLock(data: string): Lock | null {
  let text: string;
  try {
    text = readFileSync(join(data, "postmaster.pid"), "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return null;
    throw error;
  }
  const [pid, folder, , port] = text.split("\n");
  const lock = { pid: Number(pid), data: folder ?? "", port: Number(port) };
  return lock.pid > 0 && lock.port > 0 ? lock : null;
}

/**
 * Whether the lock's process is the server of this directory. Otherwise the lock was copied with the folder, its
 * process id was reused after a reboot, or the killed server remains as a zombie (in containers without an init
 * process).
 */
function worksIn(data: string, lock: Lock): boolean {
  const ours = statSync(data);
  const named = statOrNull(lock.data);
  if (named !== null && !isSame(named, ours)) return false;
  if (process.platform !== "linux") return true;
  try {
    return isSame(statSync(`/proc/${lock.pid}/cwd`), ours);
  } catch (error) {
    // If this account may not inspect the process, the lock is assumed to be valid.
    return error instanceof Error && "code" in error && error.code === "EACCES";
  }
}

/**
 * Replaces the process id in PostgreSQL's lock file with an unused one, as PostgreSQL does not start while that process
 * exists. The file must stay, because PostgreSQL also uses it to detect left-over processes that use the data.
 */
function releaseForeignLock(data: string): void {
  const lock = readLock(data);
  if (lock === null || !isAlive(lock.pid) || worksIn(data, lock)) return;
  const file = join(data, "postmaster.pid");
  writeFileSync(file, readFileSync(file, "utf8").replace(/^\d+/, "999999999"));
}

function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino;
}

function statOrNull(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}
