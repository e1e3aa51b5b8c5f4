import { setTimeout as sleep } from "node:timers/promises";
import { later } from "../../loading/index.js";
import type { StorageServices } from "../objects/services.js";

/** Prunes every hour until `close` is called; see `startPruning`. */
export interface Pruning {
  /** Interrupts a run in progress. */
  close(): Promise<void>;
}

/**
 * Milliseconds between checks for a due run. The first check comes after the same delay: a starting server has other
 * work, and one that crashes at every start must not delete anything.
 */
const usualPause = 5 * 60 * 1000;

/** Milliseconds that a run has to finish its current step; the storage backend may take much longer. */
const patience = 2_000;

/**
 * Checks regularly whether any server has pruned within the last hour, and if not, prunes. Each check also sweeps this
 * server's spool.
 */
export function startPruning(services: StorageServices, pause = usualPause): Pruning {
  const closing = new AbortController();
  let run: Promise<void> | null = null;
  const timer = setInterval(() => {
    run ??= lookLater(services, closing.signal).finally(() => {
      run = null;
    });
  }, pause).unref();
  return {
    async close() {
      clearInterval(timer);
      closing.abort();
      const late = new AbortController();
      const lateness = sleep(patience, undefined, late).catch(() => {});
      await Promise.race([run, lateness]);
      late.abort();
    },
  };
}

/** Pruning code is loaded on first use, not at startup. */
const loadLook = later(() => import("./look.js"));

/** Never throws: errors are logged, and the next check retries. */
async function lookLater(services: StorageServices, closing: AbortSignal): Promise<void> {
  try {
    const { look } = await loadLook();
    await look(services, closing);
  } catch (error) {
    services.log.error({ err: error }, "the search for unused uploads failed");
  }
}
