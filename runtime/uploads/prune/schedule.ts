import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "../../own-code/index.js";
import type { StorageServices } from "../objects/services.js";
import { claimPruning, postponePruning } from "./claim.js";
import { underPruneLock } from "./lock.js";
import { type Pruned, pruneUploads, sweepSpool } from "./prune.js";

/** Prunes every hour until it is closed; see `startPruning`. */
export interface Pruning {
  /** Interrupts a running one. */
  close(): Promise<void>;
}

/**
 * Milliseconds between two checks whether a run is due. The first check is as long after the start: a server that
 * starts has other things to do, and one that crashes at every start must delete nothing.
 */
const usualPause = 5 * 60 * 1000;

/** Milliseconds that a run gets to finish its current step; a storage may take much longer. */
const patience = 2_000;

/**
 * Checks regularly whether an hour has passed since any server pruned, and prunes then. Each server sweeps its own
 * spool with every check.
 */
export function startPruning(services: StorageServices, pause = usualPause): Pruning {
  const closing = new AbortController();
  let run: Promise<void> | null = null;
  const timer = setInterval(() => {
    run ??= look(services, closing.signal).finally(() => {
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

/** Never throws: an error is logged, and the next server that checks tries again. */
async function look(services: StorageServices, closing: AbortSignal): Promise<void> {
  const reason = await sweepSpool(services);
  if (reason !== null) services.log.warn({ reason }, "what a crash left is still in the spool");
  await pruneInTurn(services, closing);
}

async function pruneInTurn(services: StorageServices, closing: AbortSignal): Promise<void> {
  const { config, db, clock, log } = services;
  try {
    if (!(await claimPruning(db, clock.now()))) return;
  } catch (error) {
    log.warn({ err: error }, "could not find out whether unused uploads are due to be deleted");
    return;
  }
  try {
    const pruned = await underPruneLock(config, log, (own, lost) =>
      pruneUploads({ ...services, db: own }, AbortSignal.any([closing, lost])),
    );
    if (pruned !== null) tell(log, pruned);
  } catch (error) {
    if (!closing.aborted) log.error({ err: error }, "unused uploads were not all deleted");
    // When the database is down, other servers cannot prune either: an hour is soon enough then.
    await postponePruning(db, clock.now()).catch(() => {});
  }
}

function tell(log: Log, { uploads, objects, bytes, failed, reason, warning }: Pruned): void {
  if (objects > 0) log.info({ uploads, objects, bytes }, "unused uploads were deleted");
  if (reason !== null) log.warn({ failed, reason }, "unused objects are still in the storage");
  if (warning !== null) log.warn({ reason: warning }, "pruning cannot clean up everything");
}
