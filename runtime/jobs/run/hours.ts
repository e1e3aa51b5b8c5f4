import type { Queryable } from "../../db/index.js";
import { addToHour } from "../store/hours.js";
import type { JobResult } from "./attempt.js";

/** Counts attempts in memory, so that completing a job needs no extra statement. */
export interface HourCounter {
  note(result: JobResult): void;
  /** Stores the attempts counted since the last call. */
  store(db: Queryable): Promise<void>;
}

export function newHourCounter(): HourCounter {
  let done = 0;
  let failed = 0;
  return {
    note: (result) => {
      if (result === "done") done += 1;
      else failed += 1;
    },
    async store(db) {
      const counted = { done, failed };
      if (done + failed === 0) return;
      await addToHour(db, counted);
      done -= counted.done;
      failed -= counted.failed;
    },
  };
}
