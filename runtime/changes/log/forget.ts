import type { Queryable } from "../../db/index.js";

/** For how long changes are kept. */
export interface Keeping {
  readonly days: number;
  /** Days by resource, for the resources with a history. */
  readonly histories: Readonly<Record<string, number>>;
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
  for (;;) {
    if (signal?.aborted) return;
    const [row] = await db.query<{ more: boolean }>(
      "select service.forget_changes($1, $2, $3) as more",
      [days, JSON.stringify(histories), most],
    );
    if (row?.more !== true) return;
  }
}
