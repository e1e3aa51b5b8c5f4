import type { Queryable } from "../../db/index.js";

/** The first row of the file that PostgreSQL refuses after the rows before it were stored, and the error. */
export interface FirstRefused {
  readonly row: number;
  readonly line: number | null;
  readonly error: unknown;
}

/**
 * Finds the first row of a table that PostgreSQL refuses to store, by bisection. A half that is stored stays stored, so
 * that a row is sent at most twice on average. `store` stores the rows of a subquery. Returns null if all are stored.
 */
export async function firstRefused(
  { query }: Queryable,
  staged: string,
  store: (from: string) => Promise<void>,
): Promise<FirstRefused | null> {
  async function refusalOf(after: number, last: number): Promise<unknown> {
    await query("savepoint _half");
    try {
      await store(`(select * from ${staged} where _row > ${after} and _row <= ${last})`);
      await query("release savepoint _half");
      return null;
    } catch (error) {
      await query("rollback to savepoint _half");
      return error;
    }
  }

  const [{ last = "0" } = {}] = await query<{ last?: string }>(
    `select max(_row)::text as last from ${staged}`,
  );
  let stored = 0;
  let refused = Number(last);
  while (refused - stored > 1) {
    const middle = Math.floor((stored + refused) / 2);
    if ((await refusalOf(stored, middle)) === null) stored = middle;
    else refused = middle;
  }
  const error = await refusalOf(stored, refused);
  if (error === null) return null;
  const [found] = await query<{ line: string | null }>(
    `select _line::text as line from ${staged} where _row = ${refused}`,
  );
  const line = found?.line ?? null;
  return { row: refused, line: line === null ? null : Number(line), error };
}
