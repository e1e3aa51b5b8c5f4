import type { Queryable } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import { numberChanges, numberForRead } from "../log/numbered.js";
import { isOfLog, isOfRights, readPosition } from "../log/position.js";
import { type LogState, readState } from "../log/read.js";
import type { ResetReason } from "./events.js";
import type { Group } from "./subscriber.js";

/** The start of a stream, or the reason why its subscriber must read its list again. */
export type Beginning =
  | { readonly at: number; readonly state: LogState }
  | { readonly reset: ResetReason };

export interface Beginnings {
  /** `after` is the position that the subscriber sent; null means now. */
  after(after: string | null, group: Pick<Group, "resources" | "rights">): Promise<Beginning>;
}

export interface BeginningsOptions {
  readonly release: string;
  /** Days for which changes are stored. */
  readonly days: number;
}

/** Maximum number of missed changes that are sent; beyond it, reading the list again is faster. */
const maxBehind = 10_000;

/**
 * Maximum number of log entries that are searched to count missed changes; a subscriber further behind must read its
 * list again.
 */
const maxLooked = 1_000_000;

/** Concurrent calls share a statement, because thousands of subscribers reconnect at once after a restart. */
export function newBeginnings(
  { db, log }: Pick<Services, "db" | "log">,
  { release, days }: BeginningsOptions,
): Beginnings {
  const read = together(() => readState(db));
  // A stream that begins now sends no events for earlier commits.
  const readAll = together(async () => {
    await numberForRead({ log }, () => numberChanges(db));
    return readState(db);
  });

  return {
    async after(after, { resources, rights }) {
      if (after === null) {
        const state = await readAll();
        return { at: state.n, state };
      }
      const state = await read();
      const position = readPosition(after);
      if (position === null || !isOfLog(position, state.log) || position.n > state.n) {
        return { reset: "unknown" };
      }
      if (position.release !== release) return { reset: "schema" };
      if (!isOfRights(position, rights)) return { reset: "rights" };
      const { n } = position;
      if (n < state.keptAfter || (await isOld(db, n, days))) return { reset: "expired" };
      const isFar =
        state.n - n > maxBehind && (await isBehind(db, { after: n, upTo: state.n }, resources));
      return isFar ? { reset: "behind" } : { at: n, state };
    },
  };
}

/** Runs the work once for all callers that arrive before it begins, and never twice concurrently. */
function together<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<Result> | null = null;
  return () => {
    next ??= running.then(() => {
      next = null;
      const begun = work();
      running = begun.catch(() => {});
      return begun;
    });
    return next;
  };
}

async function isOld(db: Queryable, n: number, days: number): Promise<boolean> {
  const [next] = await db.query<{ old: boolean }>(
    `select at < now() - make_interval(days => $2) as old
     from service.changes where n > $1 order by n limit 1`,
    [n, days],
  );
  return next?.old ?? false;
}

async function isBehind(
  db: Queryable,
  { after, upTo }: { readonly after: number; readonly upTo: number },
  resources: readonly string[],
): Promise<boolean> {
  if (upTo - after > maxLooked) return true;
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int as count
     from (
       select from service.changes
       where n > $1 and n <= $2 and resource = any($3::text[])
       limit $4
     ) as missed`,
    [after, upTo, resources, maxBehind + 1],
  );
  return (row?.count ?? 0) > maxBehind;
}
