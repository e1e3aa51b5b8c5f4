import type { Queryable } from "../../db/index.js";
import type { Schedule } from "../job/definition.js";
import { deleteOldFailed, takeLost } from "../store/end.js";
import { deleteOldHours } from "../store/hours.js";
import type { AttemptParts } from "./attempt.js";
import type { HourCounter } from "./hours.js";
import type { LeaseKeeper } from "./leases.js";
import { renewSchedules, tidySchedules } from "./timetable.js";

/** What upkeep depends on. */
export interface UpkeepParts extends Pick<AttemptParts, "log" | "onEnded"> {
  readonly db: Queryable;
  readonly schedules: readonly Schedule[];
  readonly hours: HourCounter;
  readonly leases: LeaseKeeper;
  readonly upkeepMs: number;
}

/** Milliseconds between deletions of what is old. */
const tidyMs = 600_000;

/**
 * What each process does now and then for all: takes over what others have lost, stores schedules that are missing and
 * what was counted, deletes what is old. The returned function does what is due.
 */
export function newUpkeep(parts: UpkeepParts): () => Promise<void> {
  const { db, schedules, log, onEnded, hours, leases, upkeepMs } = parts;
  // At the start too: where processes do not live for long, none would ever look.
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
    // After an outage those that this process still runs are not taken over by itself.
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
