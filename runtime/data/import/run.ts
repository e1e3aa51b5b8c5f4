import {
  lostToConcurrent,
  type Queryable,
  type Transaction,
  tableRefusal,
} from "../../db/index.js";
import type { AppCode } from "../../own-code/index.js";
import {
  ownerLinks,
  type RowOutcome,
  type RowsPlan,
  rowIssuesOf,
  type SentRow,
  stageRows,
  targetFinder,
} from "../../resource/index.js";
import type { FileRecord, Position } from "../read/source.js";
import { inTransaction, UnansweredCommit, Undone, undoable } from "../session/transaction.js";
import { ahead } from "./chunks.js";
import type { ErrorsFile, RefusedRow } from "./errors-file.js";
import { type MarkedFile, writeMark } from "./marks.js";
import { maxListed } from "./mistakes.js";
import type { ReadRow } from "./row-reader.js";
import { issuesOf, sentRowOf, sentRowsOf } from "./store-chunk.js";
import type { Run } from "./target/target.js";

/**
 * Runs `--on-error stop` if only constraints decide: checks all rows in a staging table, then stores them in one step.
 */
export async function runStaged(
  run: Run,
  plan: RowsPlan,
  explain: AppCode["explain"],
): Promise<void> {
  const { session, chunks, read, mistakes, counts, isDry, onRows } = run;
  const { table } = plan.definition;
  const own = ownerLinks(table);
  const later = plan.links.filter(({ key }) => own.includes(key));
  const links = plan.links.filter(({ key }) => !own.includes(key));
  const work = async (connection: Transaction) => {
    const find = targetFinder(connection);
    const staged = await stageRows(session, table, later);
    let wrong = 0;
    const add = ({ record, unread }: ReadRow, sent: SentRow | null) => {
      if (sent === null) return mistakes.refuse(record, unread);
      staged.add(sent);
      if (!sent.isWrong) return;
      wrong += 1;
      mistakes.refuse(record, issuesOf(sent, []));
    };
    let sending = Promise.resolve();
    for await (const records of chunks) {
      if (links.length === 0) {
        // Rows are read one by one: holding a row costs more time than reading it.
        for (const record of records) {
          const row = read(record);
          add(row, sentRowOf(row, plan, later));
        }
      } else {
        const rows = records.map(read);
        const sent = await sentRowsOf(rows, plan, { find, links, later });
        for (const [at, row] of rows.entries()) add(row, sent[at] ?? null);
      }
      // PostgreSQL stores a chunk while the next one is read.
      await sending;
      sending = staged.send();
      sending.catch(() => {});
      onRows(records);
    }
    await sending;
    const isSound = (await staged.resolve()) && mistakes.refused === 0;
    const error = isSound ? await refusalOf(connection, staged.store) : null;
    if (!isSound || error !== null) {
      const found = await staged.explain(maxListed);
      mistakes.addFound(found.first, { ...found, refused: found.refused - wrong });
      // A constraint unknown to the checks refused a row. It cannot be found if rows may link to later ones.
      if (mistakes.refused === 0) {
        const first = own.length === 0 ? await staged.firstRefused() : null;
        if (first === null) throw error;
        mistakes.refuse(first, await explain(first.error, connection).catch(rowIssuesOf));
      }
      throw new Undone();
    }
    counts.created = counts.rows;
    if (isDry) throw new Undone();
  };
  await undoable(() => inTransaction(session, work));
}

/** Runs `store`; returns PostgreSQL's error, or null if all rows were stored. */
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

interface Rows {
  readonly records: readonly FileRecord[];
  readonly rows: readonly ReadRow[];
}

/** Yields chunks of rows. For a file, the next chunk is read while one is stored. */
function rowsOf({ chunks, read, isFile }: Run): AsyncGenerator<Rows> {
  async function* each() {
    for await (const records of chunks) yield { records, rows: records.map(read) };
  }
  return isFile ? ahead(each()) : each();
}

/** Stores all rows in one transaction. A refused row rolls it back, unless refused rows may be skipped. */
export async function runInOne(
  run: Run,
  { maySkip }: { readonly maySkip: boolean },
): Promise<void> {
  const { mistakes, isDry, onRows } = run;
  await undoable(() =>
    run.within(async (_, store) => {
      for await (const { records, rows } of rowsOf(run)) {
        note(run, rows, await store(rows));
        onRows(records);
      }
      if (isDry || (mistakes.refused > 0 && !maySkip)) throw new Undone();
    }),
  );
  if (mistakes.refused > 0 && !maySkip) Object.assign(run.counts, { created: 0, updated: 0 });
  await run.runAfter();
}

/** The state that a run with `--on-error skip` continues. */
export interface Skipping {
  /** The file's mark; null if the import cannot be resumed. */
  readonly marked: MarkedFile | null;
  readonly errors: ErrorsFile;
  /** The number of rows that earlier runs refused. */
  readonly refused: number;
  /** The mark after which this run begins; null to begin at row 1. */
  readonly from: Position | null;
}

/** Maximum number of retries of a transaction after a conflict with another one. */
const mostAgain = 5;

/** Runs `--on-error skip`: stores chunks of rows, each in one transaction with the mark after them. */
export async function runSkipping(
  run: Run,
  { marked, errors, refused, from }: Skipping,
): Promise<void> {
  const { session, mistakes, onRows } = run;
  let last = from;
  const mark = async (db: Queryable, at: Position, { isDone = false, more = 0 } = {}) => {
    if (marked === null) return;
    const all = refused + mistakes.refused + more;
    const next = { from: last?.row ?? 0, at, refused: all, errorsSize: errors.size, isDone };
    await writeMark(db, marked, next);
  };
  for await (const { records, rows } of rowsOf(run)) {
    const at = records.at(-1)?.after ?? null;
    if (at === null) continue;
    const size = errors.size;
    let outcomes: readonly RowOutcome[] = [];
    let isImmediate = false;
    for (let again = 0; ; again += 1) {
      try {
        await run.within(async (connection, store) => {
          if (isImmediate) await connection.query("set constraints all immediate");
          outcomes = await store(rows);
          const wrong = refusedOf(run, rows, outcomes);
          errors.add(wrong);
          await mark(connection, at, { more: wrong.length });
        });
        break;
      } catch (error) {
        // If the transaction was committed, its mark includes the size with these rows. The next
        // run reads the mark, and truncates the file to its size.
        if (!(error instanceof UnansweredCommit)) errors.cut(size);
        // A deferred constraint refused the commit; checked after each row, it refuses only that
        // row.
        const isDeferred: boolean = !isImmediate && tableRefusal(error) !== null;
        isImmediate ||= isDeferred;
        if (!(isDeferred || lostToConcurrent(error)) || again === mostAgain) throw error;
      }
    }
    last = at;
    note(run, rows, outcomes);
    await run.runAfter();
    onRows(records);
  }
  if (last !== null) await mark(session, last, { isDone: true });
}

/** Counts the outcomes of rows. */
function note(
  { counts, mistakes, onCreated }: Run,
  rows: readonly ReadRow[],
  outcomes: readonly RowOutcome[],
) {
  for (const [at, row] of rows.entries()) {
    const outcome = outcomes[at] ?? [];
    if (outcome === "created" || outcome === "updated") counts[outcome] += 1;
    else mistakes.refuse(row.record, outcome);
    if (outcome === "created") onCreated?.(row);
  }
}

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
