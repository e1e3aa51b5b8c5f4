import type { Log } from "../../own-code/index.js";
import type { StorageServices } from "../objects/services.js";
import { claimPruning, postponePruning } from "./claim.js";
import { underPruneLock } from "./lock.js";
import { type Pruned, pruneUploads, sweepSpool } from "./prune.js";

/**
 * Sweeps the spool, and prunes if a run is due. Never throws: errors are logged, and the next check of any server
 * retries.
 */
export async function look(services: StorageServices, closing: AbortSignal): Promise<void> {
  const reason = await sweepSpool(services);
  if (reason !== null)
    services.log.warn({ reason }, "files of a crashed process could not be removed from the spool");
  await pruneInTurn(services, closing);
}

async function pruneInTurn(services: StorageServices, closing: AbortSignal): Promise<void> {
  const { config, db, clock, log } = services;
  try {
    if (!(await claimPruning(db, clock.now()))) return;
  } catch (error) {
    log.warn({ err: error }, "could not check whether unused uploads are due for deletion");
    return;
  }
  try {
    const pruned = await underPruneLock(config, log, (own, lost) =>
      pruneUploads({ ...services, db: own }, AbortSignal.any([closing, lost])),
    );
    if (pruned !== null) tell(log, pruned);
  } catch (error) {
    if (!closing.aborted) log.error({ err: error }, "not all unused uploads could be deleted");
    // If this fails, the database is down, and other servers cannot prune either: the next regular run is soon enough.
    await postponePruning(db, clock.now()).catch(() => {});
  }
}

function tell(log: Log, { uploads, objects, bytes, failed, reason, warning }: Pruned): void {
  if (objects > 0) log.info({ uploads, objects, bytes }, "unused uploads were deleted");
  if (reason !== null)
    log.warn({ failed, reason }, "unused objects could not be removed from the storage");
  if (warning !== null) log.warn({ reason: warning }, "pruning cannot clean up everything");
}
