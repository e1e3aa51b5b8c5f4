import pg from "pg";
import type { Queryable } from "../database.js";
import { patiently } from "./patience.js";
import { freshSession, inBriefTransaction } from "./session.js";
import type { StepRun } from "./step-run.js";

/**
 * Changes what the tally of a table counts. From a moment on, while writers wait for as long as it takes
 * to write the triggers, every change is counted; what was there at that moment is counted over a second
 * connection, which sees the table as it was, and added when it is known. Cut off in between, all is done
 * again: what is not counted yet begins at 0.
 */
export async function runTally({ run, step, place, note }: StepRun<"tally">): Promise<void> {
  const { db } = run;
  const table = `public.${pg.escapeIdentifier(step.table)}`;
  const changeTally = async () => {
    await db.query(`lock table ${table} in share row exclusive mode`);
    await db.query(step.sql);
  };
  // The other connection sees what is to be counted only if that is there before its moment.
  await patiently(run, place, () => inBriefTransaction(db, changeTally));
  const numbers = await run.connect(async (reader) => {
    await freshSession(reader);
    return patiently(run, place, () =>
      asOfNow(db, reader, {
        start: changeTally,
        read: () => uncounted(reader, step.table),
      }),
    );
  });
  await patiently(run, place, () =>
    inBriefTransaction(db, async () => {
      await db.query("call service.add_numbers($1, $2)", [step.table, numbers]);
      await note();
    }),
  );
}

/** Reads the database as it is in the transaction that `start` is done in, when that is committed. */
async function asOfNow<T>(
  db: Queryable,
  reader: Queryable,
  { start, read }: { readonly start: () => Promise<void>; readonly read: () => Promise<T> },
): Promise<T> {
  try {
    await inBriefTransaction(db, async () => {
      await start();
      const [row] = await db.query<{ snapshot: string }>("select pg_export_snapshot() as snapshot");
      await reader.query("begin isolation level repeatable read read only");
      await reader.query(`set transaction snapshot ${pg.escapeLiteral(row?.snapshot ?? "")}`);
    });
    const result = await read();
    await reader.query("commit");
    return result;
  } catch (error) {
    await reader.query("rollback").catch(() => {});
    throw error;
  }
}

/** As JSON, in text: it is only handed on. */
async function uncounted(reader: Queryable, table: string): Promise<string> {
  const [row] = await reader.query<{ numbers: string }>(
    "select service.uncounted_numbers($1)::text as numbers",
    [table],
  );
  return row?.numbers ?? "{}";
}
