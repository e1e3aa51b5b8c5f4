import { setTimeout as sleep } from "node:timers/promises";
import type { Services } from "../../../own-code/index.js";
import { type SessionUse, storeUses } from "./store.js";

/** Stores when sessions were last used. No request waits for it: reads must not require a writable database. */
export interface LastUses {
  /** Stores the use soon, in a batch with those of other sessions. */
  note(use: SessionUse, tokenHash: Buffer): void;
  /** Whether the last use of that token has not been stored yet. */
  isUnstored(tokenHash: Buffer): boolean;
  storeNow(): Promise<void>;
  /** Stores all pending uses, and stops after that number of milliseconds. */
  finish(ms: number): Promise<void>;
}

/** `staleAfter` in milliseconds. */
const staleAfterMs = 60_000;

/** Maximum number of sessions per statement. */
const mostAtOnce = 500;

/** Maximum number of pending uses in memory. A use beyond it is dropped; the session's next request notes it again. */
const mostKept = 10_000;

/** Milliseconds until the next attempt after a failure. */
const pauseMs = 10_000;

export function newLastUses({
  db,
  config,
  log,
}: Pick<Services, "db" | "config" | "log">): LastUses {
  /** The pending uses, by the hash of the token. */
  const kept = new Map<string, SessionUse>();
  let storing: Promise<void> | null = null;
  /** Whether `storeAll` will be called. */
  let isDue = false;
  let isFinished = false;

  function note(use: SessionUse, tokenHash: Buffer): void {
    const key = keyOf(tokenHash);
    const known = kept.get(key);
    if (known === undefined ? kept.size >= mostKept : isFresh(known, use)) return;
    kept.set(key, use);
    if (isDue || storing !== null) return;
    isDue = true;
    // Later, when the request that used the session has been answered or waits for further statements.
    setImmediate(() => void storeAll());
  }

  function storeAll(): Promise<void> {
    isDue = false;
    storing ??= storeKept().finally(() => {
      storing = null;
    });
    return storing;
  }

  /** Never rejects. Uses that cannot be stored stay pending and are retried later. */
  async function storeKept(): Promise<void> {
    try {
      while (kept.size > 0) {
        const some = [...kept].slice(0, mostAtOnce);
        const uses = some.map(([, use]) => use);
        await storeUses(db, config, uses);
        for (const [key, use] of some) if (kept.get(key) === use) kept.delete(key);
      }
    } catch (err) {
      log.warn({ err, sessions: kept.size }, "The last use of sessions cannot be stored");
      if (isDue || isFinished) return;
      isDue = true;
      setTimeout(() => void storeAll(), pauseMs).unref();
    }
  }

  return {
    note,
    isUnstored: (tokenHash) => kept.size > 0 && kept.has(keyOf(tokenHash)),
    storeNow: storeAll,
    async finish(ms) {
      isFinished = true;
      const ended = new AbortController();
      const late = sleep(Math.max(ms, 0), undefined, { signal: ended.signal }).catch(() => {});
      await Promise.race([storeAll(), late]);
      ended.abort();
    },
  };
}

function keyOf(tokenHash: Buffer): string {
  return tokenHash.toString("base64");
}

/** Whether a later use need not be stored. */
function isFresh(known: SessionUse, use: SessionUse): boolean {
  return use.at.getTime() - known.at.getTime() < staleAfterMs;
}
