import { setTimeout as sleep } from "node:timers/promises";
import type { Queryable } from "../../db/index.js";
import type { Log } from "../../own-code/index.js";
import { hasUuids, keptId, type Table } from "../../resource/index.js";
import { sequenceChanges } from "./sequence.js";

/** Number of checks whether another process has numbered the changes, and the milliseconds between them. */
const checks = 10;
const pauseMs = 20;

/**
 * Numbers the committed changes of some records. Returns false if another process is still numbering them after 200 ms.
 */
export async function numberChangesOf(
  db: Queryable,
  table: Table<never>,
  ids: readonly string[],
): Promise<boolean> {
  const known = hasUuids(table)
    ? "any($2::uuid[])"
    : `any(array(select ${keptId(table, "_id")} from unnest($2::text[]) as _id))`;
  const areLeft = () => isAnyLeft(db, `and resource = $1 and id = ${known}`, [table.resource, ids]);
  for (let check = 0; await areLeft(); check += 1) {
    if (check === checks) return false;
    if (check > 0) await sleep(pauseMs);
    await sequenceChanges(db);
  }
  return true;
}

/** Numbers all committed changes. Writes nothing if all have numbers. */
export async function numberChanges(db: Queryable): Promise<void> {
  if (await isAnyLeft(db)) await sequenceChanges(db);
}

async function isAnyLeft(
  db: Queryable,
  condition = "",
  values: readonly unknown[] = [],
): Promise<boolean> {
  const [left] = await db.query<{ any: boolean }>(
    `select exists (
       select
       from service.changes_new
       where seq >= (select lowest_seq from service.change_counter) ${condition}
     ) as any`,
    values,
  );
  return left?.any === true;
}

/**
 * Milliseconds that a read waits for numbers: while commits wait for an unreachable standby, changes get no numbers.
 */
const patienceMs = 1_000;

/** Numbers changes for a read; if the numbers cannot be stored in time, the read continues without them. */
export async function numberForRead(
  { log }: { readonly log: Pick<Log, "warn"> },
  number: () => Promise<unknown>,
): Promise<void> {
  const ended = new AbortController();
  const late = sleep(patienceMs, undefined, { signal: ended.signal }).catch(() => {});
  const numbered = number().catch((err: unknown) =>
    log.warn({ err }, "Changes cannot be numbered"),
  );
  await Promise.race([numbered, late]);
  ended.abort();
}
