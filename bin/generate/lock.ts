import { randomBytes } from "node:crypto";
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandRefused } from "../exit.js";
import { sayProgress } from "../report.js";

/** Milliseconds that another `generate` is waited for; the largest app takes some seconds. */
const maxWaitMs = 60_000;

/** Milliseconds after which a lock is left over, also where its process cannot be looked for. */
const maxAgeMs = 120_000;

const pollMs = 50;

/**
 * Does the work while no other `generate` or `dev` of the folder reads its files and writes what follows
 * from them: two at once would both take the next migration's number.
 */
export async function withGenerateLock<T>(root: string, work: () => Promise<T>): Promise<T> {
  const folder = join(root, ".service");
  const path = join(folder, "generate.lock");
  const mine = `${hostname()} ${process.pid} ${randomBytes(8).toString("hex")}`;
  await take(path, mine);
  try {
    return await work();
  } finally {
    if (readIfThere(path) === mine) rmSync(path, { force: true });
    removeIfEmpty(folder);
  }
}

/** The folder is there for the lock alone where the app has neither an embedded database nor a secret. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].some((code) => hasCode(error, code))) throw error;
  }
}

async function take(path: string, mine: string): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  for (let isTold = false; !tryTake(path, mine); isTold = true) {
    if (!isTold) sayProgress("Another generate is under way in this folder; waiting for its end");
    if (performance.now() > deadline) {
      throw new CommandRefused(
        "Another generate in this folder does not come to its end",
        `stop it, or delete ${path} if there is none`,
      );
    }
    await sleep(pollMs);
  }
}

/** A link appears with all that its file holds, and never replaces another's. */
function tryTake(path: string, mine: string): boolean {
  const draft = `${path}.${mine.split(" ").at(-1)}`;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(draft, mine);
    linkSync(draft, path);
    return true;
  } catch (error) {
    // The folder went with the lock of another.
    if (hasCode(error, "ENOENT")) return false;
    if (!hasCode(error, "EEXIST")) throw error;
    removeStale(path, draft);
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Of a process that was killed. It is moved away first, so that one of two who see it removes it. */
function removeStale(path: string, draft: string): void {
  const seen = readIfThere(path);
  if (seen === null || !isStale(path, seen)) return;
  const aside = `${draft}.old`;
  try {
    renameSync(path, aside);
    // Another has removed it meanwhile and taken the lock: that one is put back.
    if (readIfThere(aside) !== seen) linkSync(aside, path);
  } catch (error) {
    if (!hasCode(error, "ENOENT") && !hasCode(error, "EEXIST")) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

function isStale(path: string, holder: string): boolean {
  const age = Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  const [host, pid] = holder.split(" ");
  return age > maxAgeMs || (host === hostname() && !isAlive(Number(pid)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
