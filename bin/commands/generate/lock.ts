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
import { CommandRefused } from "../../../runtime/command/exit.js";
import { sayProgress } from "../../../runtime/command/report.js";

/** Milliseconds to wait for another `generate`, which takes a few seconds for the largest app. */
const maxWaitMs = 60_000;

/** Milliseconds after which a lock is considered stale, even if its process cannot be checked. */
const maxAgeMs = 120_000;

const pollMs = 50;

/**
 * Runs the work while no other `generate` or `dev` of the folder reads its inputs and writes generated files. Otherwise
 * two of them could choose the same migration number.
 */
export async function withGenerateLock<T>(root: string, work: () => Promise<T>): Promise<T> {
  const folder = join(root, ".service");
  const path = join(folder, "generate.lock");
  const ownId = `${hostname()} ${process.pid} ${randomBytes(8).toString("hex")}`;
  await acquire(path, ownId);
  try {
    return await work();
  } finally {
    if (readIfExists(path) === ownId) rmSync(path, { force: true });
    removeIfEmpty(folder);
  }
}

/** Removes the folder if it contains nothing else, as in an app without an embedded database and secret. */
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!["ENOTEMPTY", "EEXIST", "ENOENT"].some((code) => hasCode(error, code))) throw error;
  }
}

async function acquire(path: string, ownId: string): Promise<void> {
  const deadline = performance.now() + maxWaitMs;
  for (let isReported = false; !tryAcquire(path, ownId); isReported = true) {
    if (!isReported)
      sayProgress("Another generate is running in this folder; waiting for it to finish");
    if (performance.now() > deadline) {
      throw new CommandRefused(
        "Another generate in this folder has not finished after a minute",
        `stop it, or delete ${path} if none is running`,
      );
    }
    await sleep(pollMs);
  }
}

/** Creates the lock as a hard link: it appears with its complete content and never replaces an existing lock. */
function tryAcquire(path: string, ownId: string): boolean {
  const draft = `${path}.${ownId.split(" ").at(-1)}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, ownId);
    linkSync(draft, path);
    return true;
  } catch (error) {
    // Another command removed the folder with its lock; the caller retries.
    if (hasCode(error, "ENOENT")) return false;
    if (!hasCode(error, "EEXIST")) throw error;
    removeStale(path, draft);
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Removes the lock of a killed process. The file is renamed first, so that only one of two commands removes it. */
function removeStale(path: string, draft: string): void {
  const seen = readIfExists(path);
  if (seen === null || !isStale(path, seen)) return;
  const aside = `${draft}.old`;
  try {
    renameSync(path, aside);
    // Another command has meanwhile replaced the stale lock; its lock is put back.
    if (readIfExists(aside) !== seen) linkSync(aside, path);
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

function readIfExists(path: string): string | null {
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
