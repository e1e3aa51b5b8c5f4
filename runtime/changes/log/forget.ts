import { type Queryable, unwaited } from "../../db/index.js";

/** For how long changes are kept. */
export interface Keeping {
  /** Days for which readers can resume their streams: no change is deleted before. */
  readonly days: number;
  /** Days of the histories, by resource. */
  readonly histories: Readonly<Record<string, number>>;
}

/**
 * Begins the histories of these resources that the database does not know yet: a server does so only some time after its
 * start, and backups and the deletion of unused files depend on it. What is lost in a crash is begun again.
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

/** Changes that one statement deletes at most. */
const most = 5000;

/**
 * Deletes the changes whose time is over, in batches, so that nobody waits for long. Stops between two batches once the
 * signal is aborted.
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
