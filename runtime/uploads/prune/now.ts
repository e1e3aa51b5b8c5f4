import { setTimeout as sleep } from "node:timers/promises";
import type { StorageServices } from "../objects/services.js";
import { withFileStores } from "../storage/open.js";
import { underPruneLock } from "./lock.js";
import { type Pruned, pruneUploads, sweepSpool } from "./prune.js";

/** Milliseconds between two attempts to acquire the lock. */
const askAgain = 500;

/**
 * Prunes outside a server, even shortly after the last run, and sweeps this machine's spool. If another process is
 * pruning, calls `onWait` and waits for it.
 *
 * @throws {UnreadableTable} if the uses of uploads cannot be determined.
 */
export function pruneNow(
  { config, clock, log }: Pick<StorageServices, "config" | "clock" | "log">,
  onWait: () => void,
): Promise<Pruned> {
  return withFileStores(config.uploads, async ({ storage, spool }) => {
    for (let hasWaited = false; ; hasWaited = true) {
      const pruned = await underPruneLock(config, log, (db, lost) =>
        pruneUploads({ db, storage, clock }, lost),
      );
      if (pruned !== null) {
        const reason = await sweepSpool({ spool, clock });
        return { ...pruned, reason: pruned.reason ?? reason };
      }
      if (!hasWaited) onWait();
      await sleep(askAgain);
    }
  });
}
