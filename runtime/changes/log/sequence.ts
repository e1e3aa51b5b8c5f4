import type { Queryable } from "../../db/index.js";

/** Maximum number of changes that one statement numbers, which takes 30 to 70 ms. */
const most = 5000;

/**
 * Numbers the committed changes without a number and resolves with their count. Does nothing while another process
 * numbers them.
 */
export async function sequenceChanges(db: Queryable): Promise<number> {
  let all = 0;
  for (;;) {
    const { moved, more } = await sequenceSome(db);
    all += moved;
    if (!more) return all;
  }
}

/** Numbers changes in one statement; `more` is true if there may be others. */
export async function sequenceSome(
  db: Queryable,
): Promise<{ readonly moved: number; readonly more: boolean }> {
  const text = "select service.sequence_changes($1) as moved";
  const [row] = await db.query<{ moved: number }>(text, [most]);
  const moved = row?.moved ?? 0;
  return { moved, more: moved === most };
}
