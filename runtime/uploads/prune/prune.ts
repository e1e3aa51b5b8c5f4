import { systemClock } from "../../clock/index.js";
import { reasonOf } from "../../errors/index.js";
import { hasUnfinishedMigration } from "../../migrate/at-start.js";
import type { StorageServices } from "../objects/services.js";
import { expireUploads } from "../resumable/discard.js";
import { deleteUnused } from "./delete-unused.js";
import { noteUses } from "./note-uses.js";
import { disownObjects, type Removed, removeObjects } from "./remove-objects.js";
import { findUses } from "./uses.js";

type PruneServices = Pick<StorageServices, "db" | "clock" | "storage">;

/** The number of deleted uploads and objects. A picture with renditions has several objects. */
export interface Pruned extends Removed {
  readonly uploads: number;
}

/** Between its steps, a migration may have dropped the foreign keys by which uses are found. */
const unfinished = "a migration is unfinished: until it is finished, unused uploads are kept";

/** Milliseconds before unused uploads are deleted: 24 hours. */
const grace = 24 * 60 * 60 * 1000;

/**
 * Deletes everything unused for a day: uploads, replaced renditions, and remains of interrupted uploads. Safe while
 * others write or prune, and may be interrupted at any point.
 *
 * @throws {UnreadableTable} if the uses of uploads cannot be determined.
 */
export async function pruneUploads(
  services: PruneServices,
  signal: AbortSignal = new AbortController().signal,
): Promise<Pruned> {
  const { db } = services;
  const now = await presentOf(services);
  const before = dayBefore(now);
  const uses = await findUses(db);
  await noteUses(db, { uses, now, signal });
  await expireUploads(db);
  const isMigrating = await hasUnfinishedMigration(db);
  const uploads = isMigrating ? 0 : await deleteUnused(db, { uses, now, before, signal });
  await disownObjects(db, { before, signal });
  const removed = await removeObjects(services, signal);
  return { uploads, ...removed, warning: isMigrating ? unfinished : removed.warning };
}

/**
 * The current time of PostgreSQL's clock: with a wrong clock of this machine, uploads could be deleted before their
 * records are created. If `clock` is ahead of the machine's clock, as in a test, the result is ahead by the same
 * amount.
 */
async function presentOf({ db, clock }: Pick<PruneServices, "db" | "clock">): Promise<Date> {
  const ahead = clock.now().getTime() - systemClock.now().getTime();
  const [row] = await db.query<{ now: Date }>("select now()");
  if (row === undefined) throw new Error("PostgreSQL did not return the time");
  return new Date(row.now.getTime() + ahead);
}

/**
 * Removes files that crashed servers left in this machine's spool more than a day ago. With a bucket every machine has
 * its own spool. Resolves with the error if this failed, otherwise null.
 */
export function sweepSpool({
  spool,
  clock,
}: Pick<StorageServices, "spool" | "clock">): Promise<string | null> {
  return spool.sweep(dayBefore(clock.now())).then(() => null, reasonOf);
}

function dayBefore(now: Date): Date {
  return new Date(now.getTime() - grace);
}
