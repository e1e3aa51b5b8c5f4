import { setTimeout as sleep } from "node:timers/promises";
import { later } from "../../loading/index.js";
import type { StorageServices } from "../objects/services.js";

/** Prunes every hour until it is closed; see `startPruning`. */
export interface Pruning {
  /** Interrupts a run in progress. */
  close(): Promise<void>;
}

/**
 * Milliseconds between two checks whether a run is due. The first check comes after the same delay: a starting server
 * has other work, and one that crashes at every start must delete nothing.
 */
const usualPause = 5 * 60 * 1000;

/** Milliseconds for a run to finish its current step; the storage backend may take much longer. */
const patience = 2_000;

/**
 * Checks regularly whether an hour has passed since any server pruned, and then prunes. Each server sweeps its own
 * spool with every check.
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

/** The code for pruning is loaded on first use, not at startup. */
const loadLook = later(() => import("./look.js"));

/** Never throws: an error is logged, and the next check retries. */
async function lookLater(services: StorageServices, closing: AbortSignal): Promise<void> {
  try {
    const { look } = await loadLook();
    await look(services, closing);
  } catch (error) {
    services.log.error({ err: error }, "the search for unused uploads failed");
  }
}
