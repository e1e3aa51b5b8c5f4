import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../../db/index.js";
import { sequenceChanges } from "../log/sequence.js";

/** Looks until another process has numbered what is there, and milliseconds between them. */
const looks = 10;
const pauseMs = 20;

/** Numbers the changes of a record that are committed, so that its history has them. */
export async function numberChangesOf(db: Queryable, resource: string, id: string): Promise<void> {
  for (let look = 0; look < looks; look += 1) {
    await sequenceChanges(db);
    const [left] = await db.query<{ any: boolean }>(
      `select exists (
         select
         from service.changes_new
         where resource = $1
           and id = $2
           and seq >= (select lowest_seq from service.change_counter)
       ) as any`,
      [resource, id],
    );
    if (left?.any !== true) return;
    await sleep(pauseMs);
  }
}
