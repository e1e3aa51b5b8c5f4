import { setTimeout as sleep } from "node:timers/promises";
import type { StorageServices } from "../objects/services.js";
import { withFileStores } from "../storage/open.js";
import { underPruneLock } from "./lock.js";
import { type Pruned, pruneUploads, sweepSpool } from "./prune.js";

/** Milliseconds until the lock is asked for again. */
const askAgain = 500;

/**
 * Prunes outside a server, whenever that was last done, and sweeps this machine's spool. Where somebody
 * else prunes, tells so and comes after.
 *
 * @throws {UnreadableTable} as `pruneUploads`.
 */
export function pruneNow(
  { config, clock, log }: Pick<StorageServices, "config" | "clock" | "log">,
  onWait: () => void,
): Promise<Pruned> {
  return withFileStores(config.uploads, async ({ storage, spool }) => {
    for (let told = false; ; told = true) {
      const pruned = await underPruneLock(config, log, (db, lost) =>
        pruneUploads({ db, storage, clock }, lost),
      );
      if (pruned !== null) {
        const reason = await sweepSpool({ spool, clock });
        return { ...pruned, reason: pruned.reason ?? reason };
      }
      if (!told) onWait();
      await sleep(askAgain);
    }
  });
}
