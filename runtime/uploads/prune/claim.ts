import type { Queryable } from "../../db/index.js";

/** Milliseconds between two runs on any server. */
const hour = 60 * 60 * 1000;
const tenMinutes = 10 * 60 * 1000;

/** Returns true to one caller per hour, across all servers. */
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

/** Allows another run ten minutes after a failed one. */
export async function postponePruning(db: Queryable, now: Date): Promise<void> {
  await db.query("update service.installation set uploads_pruned_at = $1", [
    earlier(now, hour - tenMinutes),
  ]);
}

function earlier(time: Date, ms: number): Date {
  return new Date(time.getTime() - ms);
}
