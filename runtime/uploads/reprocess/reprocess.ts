import type { StorageServices } from "../objects/services.js";
import { type Outcome, reprocessPicture } from "./picture.js";
import { countOutdated, nextOutdated, type Outdated, type ProfiledField } from "./store.js";

/** The result for all pictures whose profile had changed. */
export interface Reprocessed {
  /** The number of pictures with new renditions. */
  readonly done: number;
  /** Keys of pictures that are missing from the storage. */
  readonly missing: readonly string[];
  /** Keys of objects that are not complete pictures. */
  readonly unreadable: readonly string[];
}

/** Called with the number of pictures processed so far, before the first one and after each. */
export type OnProgress = (seen: number, total: number) => void;

/** Maximum number of pictures processed concurrently. */
const atOnce = 4;

/**
 * Generates the renditions of these fields' pictures again if their profile has changed. If interrupted, finished
 * pictures stay finished. Concurrent runs are safe, but duplicate work.
 *
 * @throws {StorageError} if the storage fails.
 */
export async function reprocessUploads(
  services: StorageServices,
  fields: readonly ProfiledField[],
  onProgress: OnProgress,
): Promise<Reprocessed> {
  const total = await countOutdated(services.db, fields);
  const keys: Record<Outcome, string[]> = { done: [], superseded: [], missing: [], unreadable: [] };
  let seen = 0;
  const work = async (upload: Outdated) => {
    keys[await reprocessPicture(services, upload)].push(upload.key);
    seen += 1;
    // The total may change, because pictures are uploaded and deleted meanwhile.
    onProgress(seen, Math.max(seen, total));
  };
  onProgress(0, total);
  let page = await nextOutdated(services.db, fields, "");
  while (page.length > 0) {
    await inParallel(page, work);
    page = await nextOutdated(services.db, fields, page.at(-1)?.key ?? "");
  }
  const { done, missing, unreadable } = keys;
  return { done: done.length, missing: missing.sort(), unreadable: unreadable.sort() };
}

/** Processes a few items concurrently. After a failure no further item is started, and running ones are awaited. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const runners = Array.from({ length: atOnce }, async () => {
    for (const item of left) await work(item);
  });
  await Promise.allSettled(runners);
  await Promise.all(runners);
}
