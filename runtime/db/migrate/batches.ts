import pg from "pg";
import type { Queryable } from "../database.js";
import { patiently } from "./patience.js";
import { inBriefTransaction } from "./session.js";
import type { StepRun } from "./step-run.js";

/**
 * Runs a statement for range after range of a table's ids, each in a short transaction of its own, in
 * which it is noted how far it came. It ends where a range finds the table's end.
 */
export async function runBatches({
  run,
  step,
  place,
  position,
  note,
  notePosition,
}: StepRun<"batches">): Promise<void> {
  let after: string | null = position ?? beforeAll;
  for (let size = firstSize; after !== null; ) {
    const from: string = after;
    const batch = await patiently(run, place, () =>
      inBriefTransaction(run.db, async () => {
        const start = performance.now();
        const range = await nextRange(run.db, { table: step.table, after: from, size });
        if (range.rows > 0) await run.db.query(step.sql, [from, range.upTo]);
        const more = range.rows === size;
        await (more ? notePosition(range.upTo) : note());
        return { upTo: more ? range.upTo : null, ms: performance.now() - start };
      }),
    );
    after = batch.upTo;
    size = nextSize(size, batch.ms);
  }
}

/** No record's id; those are of version 7. */
const beforeAll = "00000000-0000-0000-0000-000000000000";
const firstSize = 500;
const smallestSize = 50;
const largestSize = 10_000;
/** What writers may have to wait for at a row of the batch. */
const goodMs = 50;

/** At most twice or half of the former, so that one slow moment does not decide. */
function nextSize(size: number, ms: number): number {
  const fit = Math.round(size * Math.min(2, Math.max(0.5, goodMs / ms)));
  return Math.min(largestSize, Math.max(smallestSize, fit));
}

interface Range {
  readonly rows: number;
  readonly upTo: string;
}

async function nextRange(
  db: Queryable,
  { table, after, size }: { readonly table: string; readonly after: string; readonly size: number },
): Promise<Range> {
  const [range] = await db.query<Range>(
    `select count(*)::int as rows, (array_agg(id order by id desc))[1] as "upTo"
     from (
       select id from public.${pg.escapeIdentifier(table)} where id > $1 order by id limit $2
     ) as batch`,
    [after, size],
  );
  if (range === undefined) throw new Error("A count gives a row");
  return range;
}
