import { type Database, foreignKeyViolation } from "../../db/index.js";

export interface Unused {
  /** The SQL condition from `findUses`. */
  readonly uses: string;
  readonly now: Date;
  /** Uploads are deleted if unused since before this time. */
  readonly before: Date;
  readonly signal: AbortSignal;
}

/** Deletes the rows of uploads unused since `before`; resolves with their number. Their objects stay in the storage. */
export async function deleteUnused(db: Database, unused: Unused): Promise<number> {
  let deleted = 0;
  for (;;) {
    unused.signal.throwIfAborted();
    const keys = await oldest(db, unused.before);
    const done = await deleteOrPostpone(db, unused, keys);
    deleted += done.deleted;
    // The rest is locked, and left to the next run.
    if (done.handled === 0) return deleted;
  }
}

/** Uploads per statement: few enough if it must search for each in a table without an index on the foreign key. */
const batch = 100;

async function oldest(db: Database, before: Date): Promise<readonly string[]> {
  const rows = await db.read<{ key: string }>({
    text: `select key
     from service.uploads as upload
     where unused_since <= $1
       and not ${isInHistory}
     order by unused_since
     limit ${batch}`,
    values: [before],
    cost: "scan",
    isVaried: true,
  });
  return rows.map(({ key }) => key);
}

/**
 * SQL that is true if an entry of a history may still refer to the upload. The last such entry was written when a
 * record stopped using the upload. An upload that was never used by a record counts from when it was stored.
 */
const isInHistory = `(
       unused_since > created_at
       and exists (
         select
         from service.change_histories as history
         where history.resource = upload.resource
           and unused_since > (
             select min(at) from (
               select at from service.changes where n > history.kept_after order by n limit 1
             ) as oldest
           )
       )
     )`;

interface Done {
  /** Number of uploads of the batch that were deleted, postponed, or found in use. */
  readonly handled: number;
  readonly deleted: number;
}

const none: Done = { handled: 0, deleted: 0 };

/**
 * Deletes the uploads. Those still referenced by a foreign key, although no use was found, are retried in a day: the
 * foreign key may be new, or row-level security may hide its rows.
 */
async function deleteOrPostpone(
  db: Database,
  unused: Unused,
  keys: readonly string[],
): Promise<Done> {
  if (keys.length === 0) return none;
  try {
    return await deleteThose(db, unused, keys);
  } catch (error) {
    if (foreignKeyViolation(error) === null) throw error;
  }
  if (keys.length === 1) {
    await db.query("update service.uploads set unused_since = $2 where key = any($1)", [
      keys,
      unused.now,
    ]);
    return { handled: 1, deleted: 0 };
  }
  let done = none;
  for (const key of keys) {
    const { handled, deleted } = await deleteOrPostpone(db, unused, [key]);
    done = { handled: done.handled + handled, deleted: done.deleted + deleted };
  }
  return done;
}

/**
 * Deletes those of the uploads that are unused. They are locked before their uses are looked up. A row that starts to
 * use one has either done so before, or waits for the lock and then finds the upload deleted, or kept because of
 * another use.
 */
function deleteThose(
  db: Database,
  { uses, before }: Unused,
  keys: readonly string[],
): Promise<Done> {
  return db.transaction(async (connection) => {
    const locked = await connection.query<{ key: string }>(
      `select key
       from service.uploads
       where key = any($1) and unused_since <= $2
       for update skip locked`,
      [keys, before],
    );
    const ours = locked.map(({ key }) => key);
    const deleted = await connection.query(
      `delete from service.uploads as upload where key = any($1) and not ${uses} returning key`,
      [ours],
    );
    await connection.query("update service.uploads set unused_since = null where key = any($1)", [
      ours,
    ]);
    return { handled: ours.length, deleted: deleted.length };
  });
}
