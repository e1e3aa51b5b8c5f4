import type { Queryable, Transaction, TransactionOptions } from "../../db/index.js";
import type { Actor, AfterHook, Services } from "../../own-code/index.js";
import { inUnit, newBudget } from "../own-code/unit.js";

/** The stored part of a hook that is to run after the commit. */
type Kept = Pick<
  AfterHook,
  "resource" | "hook" | "id" | "cascadedFrom" | "isTrashed" | "records"
> & {
  readonly chain: readonly string[];
};

/** A transaction in which the app itself stores rows of a file. */
export interface RowsUnit {
  readonly actor: Actor;
  readonly connection: Transaction;
  /**
   * Must be called after each row: resets the time limit of hooks, and moves those to run after the commit to a table.
   */
  next(): Promise<void>;
}

/** Runs the work in a transaction; calls `onWait` with the milliseconds that its statements have waited for locks. */
type InTransaction = (
  work: (connection: Transaction) => Promise<void>,
  onWait?: (ms: number) => void,
) => Promise<void>;

/** Maximum number of hooks held in memory; further ones go to a temporary table. */
const maxHeld = 500;

/**
 * Runs the work in one transaction, which may take long: hooks of each row have the time limit of a request. Hooks that
 * run after the commit are stored for {@link runKept}.
 */
export async function inRowsUnit(
  services: Services,
  transaction: InTransaction,
  work: (unit: RowsUnit) => Promise<void>,
): Promise<void> {
  const trusted = { ...services, policies: {}, isTrusted: true };
  const access = { transaction: given };
  async function given<T>(
    run: (connection: Transaction) => Promise<T>,
    { onWait }: Pick<TransactionOptions, "onWait"> = {},
  ): Promise<T> {
    const results: T[] = [];
    await transaction(async (connection) => {
      results.push(await run(connection));
    }, onWait);
    const [result] = results;
    return result as T;
  }
  await inUnit(
    { services: trusted, caller: null },
    { access, isOnce: true, again: 0 },
    async (actor, connection) => {
      const { unit } = actor;
      if (unit === undefined) throw new Error("Rows are stored in a unit");
      await work({
        actor,
        connection,
        async next() {
          Object.assign(unit.budget, newBudget(services));
          if (unit.after.length >= maxHeld) await putAway(connection, unit.after);
        },
      });
      await putAway(connection, unit.after);
    },
  );
}

/** The temporary table outlives its transaction, so that the hooks can be read after the commit. */
const createKept =
  "create temporary table if not exists _after (place bigint generated always as identity, hook json)";

async function putAway(connection: Queryable, after: AfterHook[]): Promise<void> {
  if (after.length === 0) return;
  await connection.query(createKept);
  const kept = after.map(({ actor, ...hook }): Kept => {
    return { ...hook, chain: actor.chain ?? [] };
  });
  await connection.query(
    "insert into pg_temp._after (hook) select value from json_array_elements($1) as value",
    [JSON.stringify(kept)],
  );
  after.length = 0;
}

/** Runs the stored hooks in order; `run` resolves when a batch has run. */
export async function runKept(
  { query }: Queryable,
  services: Services,
  run: (hooks: readonly AfterHook[]) => Promise<void>,
): Promise<void> {
  const [table] = await query<{ name: string | null }>(
    "select to_regclass('pg_temp._after')::text as name",
  );
  if ((table?.name ?? null) === null) return;
  const trusted = { ...services, policies: {}, isTrusted: true };
  for (let place = "0"; ; ) {
    const rows = await query<{ place: string; hook: Kept }>(
      `select place, hook from pg_temp._after where place > $1 order by place limit ${maxHeld}`,
      [place],
    );
    if (rows.length === 0) break;
    await run(
      rows.map(({ hook: { chain, ...hook } }) => ({
        ...hook,
        actor: { services: trusted, caller: null, chain },
      })),
    );
    place = rows.at(-1)?.place ?? place;
  }
  await query("drop table pg_temp._after");
}
