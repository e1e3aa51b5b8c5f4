import { setTimeout as sleep } from "node:timers/promises";
import { reasonOf } from "../../errors/index.js";
import { later } from "../../loading/index.js";
import type { FieldPrivacy } from "../objects/private-files.js";
import type { StorageServices } from "../objects/services.js";
import { countMisplaced, noteAll } from "./store.js";

/** Moves files in the background until `close` is called; see `startMoving`. */
export interface Moving {
  /** Interrupts a run in progress. */
  close(): Promise<void>;
}

/** Milliseconds until the next check. */
interface Pauses {
  /** Milliseconds after startup: requests have priority, and a server may stop again soon. */
  readonly first: number;
  /**
   * Milliseconds between runs while files may remain: the last run failed, found another server pruning, or moved some.
   */
  readonly untilDone: number;
  /**
   * Milliseconds between runs once no file is misplaced. A running server of the previous release may still store files
   * in the old location.
   */
  readonly afterwards: number;
}

const pauses: Pauses = { first: 1_000, untilDone: 60_000, afterwards: 3_600_000 };

/** Milliseconds that a run has to finish its current step; the storage backend may take much longer. */
const patience = 2_000;

/**
 * Moves the files of fields that have become private, or public, since they were stored. Runs after startup, and while
 * misplaced files are found.
 */
export function startMoving(
  services: StorageServices,
  fields: readonly FieldPrivacy[],
  { first, untilDone, afterwards } = pauses,
): Moving {
  const closing = new AbortController();
  const { signal } = closing;
  const run = fields.length === 0 ? Promise.resolve() : keepMoving();

  async function keepMoving(): Promise<void> {
    await pause(first);
    while (!signal.aborted) {
      await pause((await isDone(services, fields, signal)) ? afterwards : untilDone);
    }
  }

  async function pause(milliseconds: number): Promise<void> {
    await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {});
  }

  return {
    async close() {
      closing.abort();
      const late = new AbortController();
      const lateness = sleep(patience, undefined, late).catch(() => {});
      await Promise.race([run, lateness]);
      late.abort();
    },
  };
}

// Loaded on first use, because few servers have anything to move.
const loadLock = later(() => import("../prune/lock.js"));
const loadMove = later(() => import("./move.js"));

/** Moves misplaced files; returns true if there were none. Never throws: failures are logged. */
async function isDone(
  services: StorageServices,
  fields: readonly FieldPrivacy[],
  signal: AbortSignal,
): Promise<boolean> {
  const { config, db, log, storage } = services;
  try {
    if ((await countMisplaced(db, fields)) === 0) return true;
    if (storage.privatePrefix === "") {
      await noteAll(db, fields);
      return false;
    }
    const { underPruneLock } = await loadLock();
    const { moveFiles } = await loadMove();
    const moved = await underPruneLock(config, log, (own, lost) =>
      moveFiles({ ...services, db: own }, fields, AbortSignal.any([signal, lost])),
    );
    if (moved !== null) log.info({ uploads: moved }, "files were moved to their place");
    return false;
  } catch (error) {
    if (!signal.aborted) {
      log.warn({ reason: reasonOf(error) }, "not all files have been moved yet");
    }
    return false;
  }
}
