import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../../db/index.js";
import { sequenceChanges } from "./sequence.js";

/** Checks whether another process has numbered the changes, and the milliseconds between two of them. */
const checks = 10;
const pauseMs = 20;

/** Numbers the committed changes of some records; false where another process is still numbering them after 200 ms. */
export async function numberChangesOf(
  db: Queryable,
  resource: string,
  ids: readonly string[],
): Promise<boolean> {
  for (let check = 0; check < checks; check += 1) {
    await sequenceChanges(db);
    const [left] = await db.query<{ any: boolean }>(
      `select exists (
         select
         from service.changes_new
         where resource = $1
           and id = any($2::uuid[])
           and seq >= (select lowest_seq from service.change_counter)
       ) as any`,
      [resource, ids],
    );
    if (left?.any !== true) return true;
    await sleep(pauseMs);
  }
  return false;
}
