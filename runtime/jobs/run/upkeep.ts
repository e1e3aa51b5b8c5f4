import type { Queryable } from "../../db/index.js";
import type { Schedule } from "../job/definition.js";
import { deleteOldFailed, takeLost } from "../store/end.js";
import { deleteOldHours } from "../store/hours.js";
import type { AttemptParts } from "./attempt.js";
import type { HourCounter } from "./hours.js";
import type { LeaseKeeper } from "./leases.js";
import { renewSchedules, tidySchedules } from "./timetable.js";

/** Dependencies of upkeep. */
export interface UpkeepParts extends Pick<AttemptParts, "log" | "onEnded"> {
  readonly db: Queryable;
  readonly schedules: readonly Schedule[];
  readonly hours: HourCounter;
  readonly leases: LeaseKeeper;
  readonly upkeepMs: number;
}

/** Milliseconds between deletions of old rows. */
const tidyMs = 600_000;

/**
 * Returns a function that does the maintenance that is due. Each process does it on behalf of all: it takes over lost
 * jobs, restores missing schedules, stores the counters and deletes old rows.
 */
export function newUpkeep(parts: UpkeepParts): () => Promise<void> {
  const { db, schedules, log, onEnded, hours, leases, upkeepMs } = parts;
  // Runs at startup too: short-lived processes would otherwise never check.
  let lastUpkeep = Number.NEGATIVE_INFINITY;
  let lastTidy = Number.NEGATIVE_INFINITY;

  async function takeOver(): Promise<void> {
    for (const { id, name, attempt, state } of await takeLost(db, "Its process ended")) {
      log.warn({ name, id, attempt, state }, "The process of a job has ended");
      onEnded({ name, result: "lost", seconds: null });
    }
  }

  return async () => {
    if (performance.now() - lastUpkeep < upkeepMs) return;
    lastUpkeep = performance.now();
    // After an outage, renewing first keeps this process from taking over its own jobs.
    await leases.renew();
    await takeOver();
    if (schedules.length > 0) await renewSchedules(db, schedules);
    await hours.store(db);
    if (performance.now() - lastTidy < tidyMs) return;
    lastTidy = performance.now();
    await deleteOldFailed(db);
    await deleteOldHours(db);
    await tidySchedules(db, schedules);
  };
}
