import type { Queryable, Session, Transaction } from "../../db/index.js";
import { lostToConcurrent } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import {
  type AfterHooks,
  inRowsUnit,
  type RowOutcome,
  type RowsPlan,
  type RowsUnit,
  stageRows,
  targetFinder,
} from "../../resource/index.js";
import type { Position } from "../read/source.js";
import { inTransaction, runAfter, Undone, undoable } from "../session/transaction.js";
import type { ErrorsFile, RefusedRow } from "./errors-file.js";
import type { ReadRow } from "./judge.js";
import { type MarkedFile, writeMark } from "./marks.js";
import { type Mistakes, maxListed } from "./mistakes.js";
import { issuesOf, oneByOne, sentRowsOf, together } from "./store-chunk.js";

/** What a run works with. */
export interface Run {
  readonly services: Services;
  readonly after: AfterHooks;
  readonly session: Session;
  readonly plan: RowsPlan;
  readonly chunks: AsyncIterable<readonly ReadRow[]>;
  readonly mistakes: Mistakes;
  readonly counts: Counts;
  /** Whether only constraints decide about the rows, none of which leads to another. */
  readonly isTogether: boolean;
  readonly isDry: boolean;
  onRows(rows: readonly ReadRow[]): void;
}

export interface Counts {
  rows: number;
  created: number;
  updated: number;
}

/** `--on-error stop`, where only constraints decide: all rows are checked beside the table, then stored by one statement. */
export async function runStaged(run: Run): Promise<void> {
  const { session, plan, chunks, mistakes, counts, isDry, onRows } = run;
  const { table } = plan.definition;
  const isOwn = (key: string) =>
    Object.values(table.links ?? {}).some(
      ({ field, table: target }) => field === key && target?.() === table,
    );
  const later = plan.links.filter(({ key }) => isOwn(key));
  const links = plan.links.filter(({ key }) => !isOwn(key));
  const work = async (connection: Transaction) => {
    const find = targetFinder(connection);
    const staged = await stageRows(connection, table, later);
    let wrong = 0;
    for await (const rows of chunks) {
      const sent = await sentRowsOf(rows, plan, { find, links, later });
      for (const [at, { record, unread }] of rows.entries()) {
        const one = sent[at] ?? null;
        if (one === null) mistakes.refuse(record, unread);
        else if (one.isWrong) {
          wrong += 1;
          mistakes.refuse(record, issuesOf(one, []));
        }
      }
      await staged.add(sent.flatMap((one) => one ?? []));
      onRows(rows);
    }
    const isSound = (await staged.resolve()) && mistakes.refused === 0;
    const error = isSound ? await refusalOf(connection, staged.store) : null;
    if (!isSound || error !== null) {
      const found = await staged.explain(maxListed);
      mistakes.addFound(found.first, { ...found, refused: found.refused - wrong });
      // Something that no look-up finds.
      if (mistakes.refused === 0) throw error;
      throw new Undone();
    }
    counts.created = counts.rows;
    if (isDry) throw new Undone();
  };
  await undoable(() => inTransaction(session, work));
}

/** Why PostgreSQL refuses to store all of them; null where it has stored them. */
async function refusalOf(connection: Queryable, store: () => Promise<void>): Promise<unknown> {
  await connection.query("savepoint _stored");
  try {
    await store();
    return null;
  } catch (error) {
    await connection.query("rollback to savepoint _stored");
    return error;
  }
}

/** All rows in one transaction, which is undone where one is refused, unless they may be skipped. */
export async function runInOne(
  run: Run,
  { maySkip }: { readonly maySkip: boolean },
): Promise<void> {
  const { services, session, chunks, mistakes, isDry, onRows } = run;
  await undoable(() =>
    inRowsUnit(
      services,
      (work) => inTransaction(session, work),
      async (unit) => {
        const store = storeOf(run, unit);
        for await (const rows of chunks) {
          note(run, rows, await store(rows));
          onRows(rows);
        }
        if (isDry || (mistakes.refused > 0 && !maySkip)) throw new Undone();
      },
    ),
  );
  if (mistakes.refused > 0 && !maySkip) Object.assign(run.counts, { created: 0, updated: 0 });
  await runAfter(run);
}

/** What a run that skips refused rows leaves behind. */
export interface Skipping {
  /** Null where it is not to be resumed. */
  readonly marked: MarkedFile | null;
  readonly errors: ErrorsFile;
  /** The rows that former runs refused. */
  readonly refused: number;
}

/** How often a transaction is run again that lost to another one. */
const mostAgain = 5;

/** `--on-error skip`: transactions of some rows, each with the mark behind them. */
export async function runSkipping(run: Run, { marked, errors, refused }: Skipping): Promise<void> {
  const { session, services, mistakes, chunks, onRows } = run;
  let last: Position | null = null;
  const mark = async (db: Queryable, at: Position, { isDone = false, more = 0 } = {}) => {
    if (marked === null) return;
    const all = refused + mistakes.refused + more;
    await writeMark(db, marked, { at, refused: all, errorsSize: errors.size, isDone });
  };
  for await (const rows of chunks) {
    const at = rows.at(-1)?.record.after ?? null;
    if (at === null) continue;
    const size = errors.size;
    let outcomes: readonly RowOutcome[] = [];
    for (let again = 0; ; again += 1) {
      try {
        await inRowsUnit(
          services,
          (work) => inTransaction(session, work),
          async (unit) => {
            outcomes = await storeOf(run, unit)(rows);
            const wrong = refusedOf(run, rows, outcomes);
            errors.add(wrong);
            await mark(unit.connection, at, { more: wrong.length });
          },
        );
        break;
      } catch (error) {
        errors.cut(size);
        if (!lostToConcurrent(error) || again === mostAgain) throw error;
      }
    }
    last = at;
    note(run, rows, outcomes);
    await runAfter(run);
    onRows(rows);
  }
  if (last !== null) await mark(session, last, { isDone: true });
}

function storeOf({ plan, isTogether }: Run, unit: RowsUnit) {
  return isTogether ? together(unit, plan) : oneByOne(unit, plan);
}

/** Counts what became of rows. */
function note(
  { counts, mistakes }: Run,
  rows: readonly ReadRow[],
  outcomes: readonly RowOutcome[],
) {
  for (const [at, { record }] of rows.entries()) {
    const outcome = outcomes[at] ?? [];
    if (outcome === "created" || outcome === "updated") counts[outcome] += 1;
    else mistakes.refuse(record, outcome);
  }
}

/** The rows that were refused. */
function refusedOf(
  { mistakes }: Run,
  rows: readonly ReadRow[],
  outcomes: readonly RowOutcome[],
): readonly RefusedRow[] {
  return rows.flatMap(({ record }, at) => {
    const outcome = outcomes[at] ?? [];
    return typeof outcome === "string"
      ? []
      : [{ record, mistakes: mistakes.listed(record, outcome) }];
  });
}
