import { setTimeout as sleep } from "node:timers/promises";
import type { StorageServices } from "../objects/services.js";
import { removeObjects } from "./remove-objects.js";

/** Removes objects that belong to no upload in the background. */
export interface Removal {
  /** Never throws: objects that the storage fails to remove are left to pruning. */
  removeSoon(): void;
  /** Interrupts a run in progress. */
  close(): Promise<void>;
}

/** Milliseconds that a run has to finish its current step; the storage backend may take much longer. */
const patience = 2_000;

export function newRemoval(services: StorageServices): Removal {
  const closing = new AbortController();
  let run: Promise<void> = Promise.resolve();
  let waiting = 0;

  async function remove(): Promise<void> {
    waiting -= 1;
    const { log } = services;
    try {
      const { failed, reason } = await removeObjects(services, closing.signal);
      if (reason !== null) log.warn({ failed, reason }, "objects are still in the storage");
    } catch (error) {
      if (!closing.signal.aborted) log.warn({ err: error }, "objects were not removed");
    }
  }

  return {
    removeSoon() {
      // A waiting run will find these objects too.
      if (waiting > 0) return;
      waiting += 1;
      run = run.then(remove);
    },
    async close() {
      closing.abort();
      const late = new AbortController();
      const lateness = sleep(patience, undefined, late).catch(() => {});
      await Promise.race([run, lateness]);
      late.abort();
    },
  };
}
