import { type Queryable, unwaited } from "../../db/index.js";

export interface Keeping {
  /** Days for which readers can resume their streams: newer changes are never deleted. */
  readonly days: number;
  /** Days of each resource's history. */
  readonly histories: Readonly<Record<string, number>>;
}

/**
 * Starts the histories of resources that are new to the database. A server does this some time after its start; backups
 * and the deletion of unused files do it at once. A start lost in a crash is repeated.
 */
export async function beginHistories(db: Queryable, resources: readonly string[]): Promise<void> {
  await db.query(
    `insert into service.change_histories (resource, kept_after)
     select name, kept_after
     from unnest($1::text[]) as name
     cross join service.change_counter
     cross join ${unwaited}
     on conflict do nothing`,
    [resources],
  );
}

/** Maximum number of changes that one statement deletes. */
const most = 5000;

/**
 * Deletes expired changes in batches, so that no statement waits long. Stops between two batches when the signal is
 * aborted.
 */
export async function forgetChanges(
  db: Queryable,
  { days, histories }: Keeping,
  signal?: AbortSignal,
): Promise<void> {
  const kept = Object.entries(histories).map(([resource, own]) => [resource, Math.max(own, days)]);
  const daysOf = JSON.stringify(Object.fromEntries(kept));
  for (;;) {
    if (signal?.aborted) return;
    const [row] = await db.query<{ more: boolean }>(
      "select service.forget_changes($1, $2, $3) as more",
      [days, daysOf, most],
    );
    if (row?.more !== true) return;
  }
}
