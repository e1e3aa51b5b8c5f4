import type { Queryable } from "../../db/index.js";

/** Milliseconds from one run to the next, across all servers, and until a failed run is retried. */
const hour = 60 * 60 * 1000;
const tenMinutes = 10 * 60 * 1000;

/** True for one caller in an hour, whichever server calls. */
export async function claimPruning(db: Queryable, now: Date): Promise<boolean> {
  const rows = await db.query(
    `update service.installation
     set uploads_pruned_at = $1
     where uploads_pruned_at is null or uploads_pruned_at <= $2
     returning id`,
    [now, earlier(now, hour)],
  );
  return rows.length > 0;
}

/** Allows another run in ten minutes, after one that failed. */
export async function postponePruning(db: Queryable, now: Date): Promise<void> {
  await db.query("update service.installation set uploads_pruned_at = $1", [
    earlier(now, hour - tenMinutes),
  ]);
}

function earlier(time: Date, ms: number): Date {
  return new Date(time.getTime() - ms);
}
