import { type Database, timeLimit } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import { plainName } from "../table/column-keys.js";
import type { ResourceDefinition } from "../table/definition.js";

/** Deletes expired records from the trash until `close` is called. */
export interface Expiring {
  close(): Promise<void>;
}

/** Milliseconds between two runs, and before the first one. */
const usualPause = 60_000;

/** Number of rows that one statement deletes: 10,000 take about a second, and its time limit is ten seconds. */
const atOnce = 10_000;

/** Maximum number of marks that one statement selects. */
const mostMarks = 1_000;

/** Starts to delete records that have been in the trash for the retention of their resource. */
export function startExpiring(
  { db, log }: Pick<Services, "db" | "log">,
  definitions: readonly ResourceDefinition[],
  pause = usualPause,
): Expiring {
  const days = daysByTable(definitions);
  let isClosed = false;
  let run: Promise<void> | null = null;

  async function expire(): Promise<void> {
    const failed: string[] = [];
    const note = (error: unknown) =>
      log.warn({ err: error }, "expired records were not deleted from the trash");
    try {
      while (!isClosed && (await expireSome({ db, note }, days, failed)));
    } catch (error) {
      note(error);
    }
  }

  const timer = setInterval(() => {
    run ??= expire().finally(() => {
      run = null;
    });
  }, pause).unref();
  if (Object.keys(days).length === 0) clearInterval(timer);
  return {
    async close() {
      isClosed = true;
      clearInterval(timer);
      await run;
    },
  };
}

type Days = Readonly<Record<string, number>>;

function daysByTable(definitions: readonly ResourceDefinition[]): Days {
  const kept = definitions.flatMap(({ table }) =>
    table.trash === undefined ? [] : [[plainName(table), table.trash.days] as const],
  );
  return Object.fromEntries(kept);
}

/** Deletes some expired marks completely. Returns false if there are none, or if another server is deleting them. */
async function expireSome(
  { db, note }: { readonly db: Database; readonly note: (error: unknown) => void },
  days: Days,
  failed: string[],
): Promise<boolean> {
  const rows = await db.query<{ mark: string }>(
    "select mark from service.expired_marks($1, $2, $3) as mark",
    [JSON.stringify(days), failed, mostMarks],
  );
  const [first, ...others] = rows.map(({ mark }) => mark);
  if (first === undefined) return false;
  try {
    return await expireMarks(db, [first, ...others]);
  } catch (error) {
    if (timeLimit(error) === null) throw error;
  }
  // One of the marks takes too long, or is locked: the others must not wait for it.
  try {
    return await expireMarks(db, [first]);
  } catch (error) {
    if (timeLimit(error) === null) throw error;
    failed.push(first);
    note(error);
    return true;
  }
}

/**
 * Deletes the marks in one transaction, up to about `atOnce` rows, always completing a mark. Returns false if another
 * server is deleting them.
 */
function expireMarks(db: Database, marks: readonly string[]): Promise<boolean> {
  return db.transaction(async ({ query }) => {
    let left = marks;
    for (let begun: string | null = null; ; ) {
      const [row]: readonly Expired[] = await query<Expired>(
        "select deleted, unfinished from service.expire_marks($1, $2, $3)",
        [left, begun, atOnce],
      );
      if (row === undefined || row.deleted === null) return false;
      if (row.unfinished === null) return true;
      begun = row.unfinished;
      left = [begun];
    }
  });
}

interface Expired {
  /** The number of deleted rows; null if another server is deleting them. */
  readonly deleted: number | null;
  /** A mark with rows left to delete; null if there is none. */
  readonly unfinished: string | null;
}
