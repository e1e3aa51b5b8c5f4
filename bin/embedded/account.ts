import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmdirSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import { EmbeddedError } from "./error.js";

/** The operating-system account that runs PostgreSQL; null for the account of this process. */
export type Account = { readonly uid: number; readonly gid: number } | null;

/**
 * Chooses the account for PostgreSQL, which refuses to run as root. If this process is root (through `sudo`, or in a
 * container with mounted files), PostgreSQL runs as the owner of its data, else of the app's folder, else as `nobody`.
 */
export function serverAccount(data: string, root: string): Account {
  if (process.getuid?.() !== 0) return null;
  for (const folder of [data, root]) {
    if (!existsSync(folder)) continue;
    const { uid, gid } = statSync(folder);
    if (uid !== 0) return { uid, gid };
  }
  return { uid: idOfNobody("-u"), gid: idOfNobody("-g") };
}

/** Returns the options of `spawn` that run a program as that account, in a folder that every account can enter. */
export function asAccount(account: Account) {
  // A fixed environment, which determines initdb's language and time zone.
  return { ...account, cwd: "/", env: { LC_ALL: "C", TZ: "UTC" } };
}

export function giveTo(account: Account, path: string): void {
  if (account !== null) chownSync(path, account.uid, account.gid);
}

/** Creates a folder that every account can traverse, whatever the umask. An existing folder is not changed. */
export function makeTraversable(folder: string): void {
  if (mkdirSync(folder, { recursive: true }) !== undefined) chmodSync(folder, 0o711);
}

/** Whether the account can store data in the folder. Tested with a write, as mode bits alone do not decide it. */
export function canKeepDataIn(folder: string, account: Account): boolean {
  const probe = mkdtempSync(join(folder, "probe-"));
  try {
    giveTo(account, probe);
    const test = ["-c", 'test -w "$1" && test -x "$1"', "sh", probe];
    return spawnSync("/bin/sh", test, asAccount(account)).status === 0;
  } catch {
    // Some mounted folders do not allow changing owners, even as root.
    return false;
  } finally {
    rmdirSync(probe);
  }
}

function idOfNobody(flag: "-u" | "-g"): number {
  const answer = spawnSync("id", [flag, "nobody"], { encoding: "utf8" });
  const id = Number.parseInt(answer.stdout ?? "", 10);
  if (Number.isInteger(id) && id > 0) return id;
  throw new EmbeddedError(
    "PostgreSQL does not run as root, and this machine has no user `nobody` to run it as",
    "run the command as an ordinary user, or set DATABASE_URL",
  );
}
