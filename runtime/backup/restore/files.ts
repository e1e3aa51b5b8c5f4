import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { systemClock } from "../../clock/index.js";
import type { Config } from "../../config/index.js";
import type { Database } from "../../db/index.js";
import { announceObjects, removeObjectsNow } from "../../uploads/index.js";
import { BackupProblem } from "../archive/problem.js";
import type { VerifiedArchive } from "./verify.js";

interface FileServices {
  readonly config: Config;
  readonly db: Database;
}

/** Number of keys per query. */
const pageSize = 1000;

/**
 * Records files that are about to be written and are unknown to the database, so that pruning finds them if this
 * process dies. Returns their keys.
 */
export async function announceFiles(
  { db }: FileServices,
  { files }: VerifiedArchive,
): Promise<readonly string[]> {
  const announced: string[] = [];
  const all = [...files.keys()];
  for (let at = 0; at < all.length; at += pageSize) {
    const page = all.slice(at, at + pageSize);
    const known = await db.query<{ key: string }>(
      "select key from service.stored_objects where key = any ($1)",
      [page],
    );
    const there = new Set(known.map(({ key }) => key));
    const fresh = page.filter((key) => !there.has(key));
    for (const isPrivate of [false, true]) {
      const keys = fresh.filter((key) => files.get(key) === isPrivate);
      await announceObjects(db, { keys, isPrivate }, systemClock.now());
    }
    announced.push(...fresh);
  }
  return announced;
}

/** Removes files that were written before a failure; pruning removes those that cannot be removed now. */
export async function discardFiles(
  { config, db }: FileServices,
  keys: readonly string[],
): Promise<void> {
  try {
    await db.query(
      `update service.stored_objects
       set unused_since = null
       where key = any ($1) and upload_key is null`,
      [keys],
    );
    await removeObjectsNow({ config, db });
  } catch {
    // Ignored, so that the original failure is reported.
  }
}

/** @throws {BackupProblem} if the disk is known to have too little free space for the files. */
export async function refuseFullDisk(
  { uploads: { storage } }: Pick<Config, "uploads">,
  { fileBytes }: VerifiedArchive,
): Promise<void> {
  if (storage.driver !== "disk") return;
  const { bavail, bsize } = await nearest(storage.path);
  if (bavail * bsize > fileBytes) return;
  throw new BackupProblem(
    `The files take ${fileBytes} bytes, but ${storage.path} has room for ${bavail * bsize}`,
    "free some space, or use another disk",
  );
}

/** Returns the file system in which a path would be created. */
async function nearest(path: string) {
  for (let at = path; ; at = dirname(at)) {
    try {
      return await statfs(at);
    } catch (error) {
      if (dirname(at) === at) throw error;
    }
  }
}
