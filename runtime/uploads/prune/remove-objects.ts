import pLimit from "p-limit";
import type { Database } from "../../db/index.js";
import { forgetObjects } from "../objects/store.js";
import { reasonOf, type Storage } from "../storage/storage.js";

/**
 * Takes from their uploads the objects that are to go: renditions whose place others took long ago, and
 * what was announced long ago and never became part of an upload. From then on nobody can have them.
 */
export async function disownObjects(
  db: Database,
  { before, signal }: { readonly before: Date; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const disowned = await db.search(
      `update service.stored_objects
       set upload_key = null, unused_since = null
       where key = any (array(
         select key
         from service.stored_objects
         where unused_since <= $1
         limit 1000
         for update skip locked
       ))
       returning key`,
      [before],
    );
    if (disowned.length === 0) return;
  }
}

export interface Removed {
  readonly objects: number;
  /** Of those whose size is known: all that once were part of an upload. */
  readonly bytes: number;
  /** How many the storage was asked to remove and did not; they are tried again the next time. */
  readonly failed: number;
  /** Why, in the storage's words for its operator; null where it did all. */
  readonly reason: string | null;
  /** What it may not clean up beside them, in its words for its operator; null where it may. */
  readonly warning: string | null;
}

/** Failures in a row after which no more is tried: the storage is down, and each may take a minute. */
const patience = 10;

/** Removes the objects that belong to no upload. What the storage does not remove stays for the next time. */
export async function removeObjects(
  { db, storage }: { readonly db: Database; readonly storage: Storage },
  signal: AbortSignal,
): Promise<Removed> {
  const failures: unknown[] = [];
  let warning: string | null = null;
  let failedInRow = 0;
  const limit = pLimit(8);
  const isHopeless = () => failedInRow >= patience;

  /** Those of the keys that are in the storage no more. */
  async function remove(keys: readonly string[]): Promise<readonly string[]> {
    const removed: string[] = [];
    const removeOne = async (key: string) => {
      if (isHopeless() || signal.aborted) return;
      try {
        warning = (await storage.remove(key)) ?? warning;
        removed.push(key);
        failedInRow = 0;
      } catch (error) {
        failures.push(error);
        failedInRow += 1;
      }
    };
    await Promise.all(keys.map((key) => limit(removeOne, key)));
    return removed;
  }

  let objects = 0;
  let bytes = 0;
  for (let page = await pageOf(db, ""); page.length > 0 && !isHopeless(); ) {
    const sizes = await forgetObjects(db, await remove(page));
    signal.throwIfAborted();
    objects += sizes.length;
    bytes += sizes.reduce((sum, size) => sum + size, 0);
    page = await pageOf(db, page.at(-1) ?? "");
  }
  const reason = failures.length === 0 ? null : reasonOf(failures[0]);
  return { objects, bytes, failed: failures.length, reason, warning };
}

async function pageOf(db: Database, after: string): Promise<readonly string[]> {
  const rows = await db.search<{ key: string }>(
    `select key
     from service.stored_objects
     where upload_key is null and unused_since is null and key > $1
     order by key
     limit 200`,
    [after],
  );
  return rows.map(({ key }) => key);
}
