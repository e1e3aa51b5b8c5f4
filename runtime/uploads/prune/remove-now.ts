import { reasonOf } from "../../errors/index.js";
import type { StorageServices } from "../objects/services.js";
import { withFileStores } from "../storage/open.js";
import { removeObjects } from "./remove-objects.js";

/**
 * Removes the objects that belong to no upload, outside a server. Resolves with the reason why some are still in the
 * storage; null if none is.
 */
export function removeObjectsNow({
  config,
  db,
}: Pick<StorageServices, "config" | "db">): Promise<string | null> {
  return withFileStores(config.uploads, async ({ storage }) => {
    const { reason } = await removeObjects({ db, storage }, new AbortController().signal);
    return reason;
  }).catch(reasonOf);
}
