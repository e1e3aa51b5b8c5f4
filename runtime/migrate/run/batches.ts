import { type Queryable, timeLimit } from "../../db/index.js";
import { qualifiedTable } from "../../values/sql/table-name.js";
import { inTransactionWithLockTimeout } from "../session/transaction.js";
import { retryOnLockTimeout } from "./lock-retry.js";
import type { StepRun } from "./run.js";

/**
 * Runs a statement for successive ranges of a table's ids, each in a short transaction that also records its position.
 */
export async function runBatches(given: StepRun<"batches">): Promise<void> {
  const { run, step, position } = given;
  const key = await keyOf(run.db, step.table);
  let after: string | null = key.isUsual ? (position ?? smallestId) : null;
  for (let size = initialSize; ; ) {
    const batch = await runBatch({ ...given, key }, after, size);
    size = batch === null ? Math.ceil(size / 2) : nextSize(size, batch.ms);
    await cleanPendingList(run.db, step.table);
    if (batch?.upTo === null) return;
    if (batch !== null) after = batch.upTo;
  }
}

/** The column of a table's ids: its primary key. */
interface Key {
  /** The column's name as SQL. */
  readonly name: string;
  /** Whether ids are UUIDs. Positions of other ids are not recorded, so that an interrupted step starts again. */
  readonly isUsual: boolean;
}

async function keyOf(db: Queryable, table: string): Promise<Key> {
  const [key] = await db.query<Key>(
    `select quote_ident(attname) as name, atttypid = 'uuid'::regtype as "isUsual"
     from pg_index
     join pg_attribute on attrelid = indrelid and attnum = indkey[0]
     where indrelid = to_regclass($1) and indisprimary and indnkeyatts = 1`,
    [qualifiedTable(table)],
  );
  return key ?? { name: "id", isUsual: true };
}

/** The smallest possible id; a row with it belongs to the first range. */
const smallestId = "00000000-0000-0000-0000-000000000000";
const initialSize = 500;
const maxSize = 10_000;
/** Target duration of a batch in milliseconds: writers may have to wait that long for one of its rows. */
const targetMs = 50;
/** Timeout of a batch in milliseconds: a batch that takes longer is canceled and retried with a smaller size. */
const maxMs = 150;

/** Returns at most twice and at least half of the previous size, so that one slow batch has little effect. */
function nextSize(size: number, ms: number): number {
  const fit = Math.round(size * Math.min(2, Math.max(0.5, targetMs / ms)));
  return Math.min(maxSize, Math.max(1, fit));
}

interface Batch {
  /** The last id of the batch; null at the end of the table. */
  readonly upTo: string | null;
  readonly ms: number;
}

/** Returns null if the batch took too long; a batch of one row has no timeout. */
async function runBatch(
  {
    run,
    step,
    location,
    recordDone,
    recordPosition,
    key,
  }: StepRun<"batches"> & {
    readonly key: Key;
  },
  after: string | null,
  size: number,
): Promise<Batch | null> {
  const { db } = run;
  try {
    return await retryOnLockTimeout(run, location, () =>
      inTransactionWithLockTimeout(db, async () => {
        const start = performance.now();
        const range = await nextRange(db, { table: step.table, key, after, size });
        await db.query(`set local statement_timeout to ${size > 1 ? maxMs : 0}`);
        if (range.rows > 0) await db.query(step.sql, [after ?? range.from, range.upTo]);
        await db.query("set local statement_timeout to 0");
        const more = range.rows === size;
        if (!more) await recordDone();
        else if (key.isUsual) await recordPosition(range.upTo);
        return { upTo: more ? range.upTo : null, ms: performance.now() - start };
      }),
    );
  } catch (error) {
    if (timeLimit(error) === "statement" && size > 1) return null;
    throw error;
  }
}

/**
 * Flushes the pending lists of search indexes. Otherwise the next write that finds its list full would do it, possibly
 * in a batch with locked rows.
 */
async function cleanPendingList(db: Queryable, table: string): Promise<void> {
  await db.query(
    `select gin_clean_pending_list(indexrelid)
     from pg_index
     join pg_class on pg_class.oid = indexrelid
     join pg_am on pg_am.oid = relam
     where indrelid = to_regclass($1) and amname = 'gin' and indisready
       and pg_has_role(relowner, 'usage')`,
    [qualifiedTable(table)],
  );
}

interface Range {
  readonly rows: number;
  readonly from: string;
  readonly upTo: string;
}

async function nextRange(
  db: Queryable,
  {
    table,
    key: { name },
    after,
    size,
  }: {
    readonly table: string;
    readonly key: Key;
    readonly after: string | null;
    readonly size: number;
  },
): Promise<Range> {
  const [range] = await db.query<Range>(
    `select count(*)::int as rows,
       (array_agg(key order by key))[1]::text as from,
       (array_agg(key order by key desc))[1]::text as "upTo"
     from (
       select ${name} as key
       from ${qualifiedTable(table)}
       ${after === null ? "" : `where ${name} ${after === smallestId ? ">=" : ">"} $2`}
       order by ${name}
       limit $1
     ) as batch`,
    [size, ...(after === null ? [] : [after])],
  );
  if (range === undefined) throw new Error("A count returns a row");
  return range;
}
