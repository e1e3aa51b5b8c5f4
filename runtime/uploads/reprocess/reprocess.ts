import type { StorageServices } from "../objects/services.js";
import { type Outcome, reprocessPicture } from "./picture.js";
import { countOutdated, nextOutdated, type Outdated, type ProfiledField } from "./store.js";

/** What came of all pictures whose profile had changed. */
export interface Reprocessed {
  /** How many have new renditions. */
  readonly done: number;
  /** Keys of pictures that are not in the storage. */
  readonly missing: readonly string[];
  /** Keys of what is in the storage and is no whole picture. */
  readonly unreadable: readonly string[];
}

/** Hears how many of the pictures were looked at, before the first one and after each. */
export type OnProgress = (seen: number, total: number) => void;

/** Pictures that are fetched, worked on or stored at a time. */
const atOnce = 4;

/**
 * Makes the renditions of those fields' pictures anew where the profile is another one than that which
 * made them. What is done stays done, wherever it is cut short; several at once only waste their work.
 *
 * @throws {StorageError} where the storage does not give or take.
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
    // Others are uploaded, and deleted, all the while.
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

/** After a failure nothing new is begun, and what was is awaited. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  const runners = Array.from({ length: atOnce }, async () => {
    for (const item of left) await work(item);
  });
  await Promise.allSettled(runners);
  await Promise.all(runners);
}
