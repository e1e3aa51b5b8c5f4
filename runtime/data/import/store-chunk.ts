import {
  conflictsOf,
  createOfRow,
  type FileRow,
  insertRows,
  isValid,
  type NamedLink,
  type RowIssue,
  type RowOutcome,
  type RowsPlan,
  type RowsUnit,
  rowStore,
  type SentRow,
  type TargetFinder,
  targetFinder,
  targetName,
  withTargets,
} from "../../resource/index.js";
import type { ReadRow } from "./row-reader.js";

/** Stores the rows of a chunk in their order, and returns the outcome of each. */
export type StoreChunk = (rows: readonly ReadRow[]) => Promise<readonly RowOutcome[]>;

/** Stores rows one by one, for resources with app code or with links between new rows. */
export function oneByOne(unit: RowsUnit, plan: RowsPlan): StoreChunk {
  const store = rowStore(unit.actor, unit.connection, plan);
  return async (rows) => {
    const outcomes: RowOutcome[] = [];
    for (const { row, unread } of rows) {
      outcomes.push(row === null ? unread : await store(row));
      await unit.next();
    }
    return outcomes;
  };
}

/**
 * Stores rows by one statement if PostgreSQL accepts all of them, otherwise one by one. Mistakes of
 * a row are then found with all rows before it stored.
 */
export function together(unit: RowsUnit, plan: RowsPlan): StoreChunk {
  const { table } = plan.definition;
  const { connection } = unit;
  const find = targetFinder(connection);
  const insert = insertStore(unit, plan);

  return async (rows) => {
    const sent = await sentRowsOf(rows, plan, { find, links: plan.links });
    const outcomes: RowOutcome[] = [];
    let some: Sendable[] = [];
    const storeBefore = async () => {
      outcomes.push(...(await insert.each(some)));
      some = [];
    };
    for (const [at, read] of rows.entries()) {
      const one = sent[at] ?? null;
      if (one !== null && !one.isWrong) {
        some.push({ read, sent: one });
        continue;
      }
      await storeBefore();
      if (one === null) outcomes.push(read.unread);
      else {
        const conflicts = await conflictsOf(connection, table, [one]);
        outcomes.push(issuesOf(one, conflicts.get(one.row) ?? []));
      }
    }
    await storeBefore();
    return outcomes;
  };
}

/** A row whose values are valid, without regard to other rows. */
export interface Sendable {
  readonly read: ReadRow;
  readonly sent: SentRow;
}

/** Stores new records. */
export interface InsertStore {
  /** Stores all rows by one statement; stores none and returns null if PostgreSQL refuses one of them. */
  all(some: readonly Sendable[]): Promise<readonly RowOutcome[] | null>;
  /** Stores every row that PostgreSQL accepts; see `together`. */
  each(some: readonly Sendable[]): Promise<readonly RowOutcome[]>;
}

export function insertStore(unit: RowsUnit, plan: RowsPlan): InsertStore {
  const { table } = plan.definition;
  const { connection, actor } = unit;
  const single = oneByOne(unit, plan);
  const insert = (rows: readonly SentRow[]) => insertRows(actor, table, rows);

  async function all(some: readonly Sendable[]): Promise<readonly RowOutcome[] | null> {
    const areStored = await insert(some.map(({ sent }) => sent));
    return areStored ? some.map(() => "created") : null;
  }

  async function each(some: readonly Sendable[]): Promise<readonly RowOutcome[]> {
    const stored = await all(some);
    if (stored !== null) return stored;
    const rows = some.map(({ sent }) => sent);
    const conflicts = await conflictsOf(connection, table, rows);
    const isStored = await insert(rows.filter(({ row }) => !conflicts.has(row)));
    const outcomes: RowOutcome[] = [];
    for (const { read, sent } of some) {
      const conflict = conflicts.get(sent.row);
      if (conflict !== undefined) outcomes.push(conflict);
      else if (isStored) outcomes.push("created");
      else outcomes.push(...(await single([read])));
    }
    return outcomes;
  }

  return { all, each };
}

interface Targets {
  readonly find: TargetFinder;
  /** The links whose targets are resolved before the rows are sent. */
  readonly links: readonly NamedLink[];
  /** Links whose targets may be rows of the file. */
  readonly later?: readonly NamedLink[];
}

/** Prepares rows for PostgreSQL; null for rows that cannot be parsed. */
export async function sentRowsOf(
  rows: readonly ReadRow[],
  plan: Pick<RowsPlan, "definition">,
  { find, links, later = [] }: Targets,
): Promise<readonly (SentRow | null)[]> {
  const readable = rows.flatMap(({ row }) => row ?? []);
  const linked = await withTargets(find, links, readable);
  let at = 0;
  return rows.map((read) => {
    if (read.row === null) return null;
    const row = linked[at] ?? read.row;
    at += 1;
    return sentRowOf({ ...read, row }, plan, later);
  });
}

/** Prepares a row for PostgreSQL; null if it cannot be parsed. */
export function sentRowOf(
  { row: read, record }: ReadRow,
  { definition }: Pick<RowsPlan, "definition">,
  later: readonly NamedLink[],
): SentRow | null {
  if (read === null) return null;
  const { row, names } = withoutNames(read, later);
  const create = createOfRow(definition, row);
  const isWrong = !isValid(create.checked);
  return { row: record.row, line: record.line, create, isWrong, names };
}

/** The row with placeholders for targets that are resolved later. */
function withoutNames(row: FileRow, later: readonly NamedLink[]) {
  const names: Record<string, unknown> = {};
  if (later.length === 0) return { row, names };
  const { values, issues } = row;
  const own = { ...values };
  for (const link of later) {
    const { key, isList } = link;
    const sent = own[key] ?? null;
    // A value that is not a list is refused, as in a body.
    if (sent === null || (isList && !Array.isArray(sent))) continue;
    if (Array.isArray(sent)) {
      names[key] = sent.map((name: unknown) => targetName(link, name));
      own[key] = sent.map((_, at) => placeholder(at));
    } else {
      names[key] = targetName(link, sent);
      own[key] = placeholder(0);
    }
  }
  return { row: { values: own, issues }, names };
}

/** A temporary id that is replaced before the row is stored; each element of a list has a different one. */
function placeholder(at: number): string {
  return `00000000-0000-0000-0000-${String(at).padStart(12, "0")}`;
}

/** All issues of a row: with its values, then with other records. */
export function issuesOf({ create }: SentRow, conflicts: readonly RowIssue[]): readonly RowIssue[] {
  const { malformed, unknown } = create.checked;
  return [
    ...unknown.map((path) => ({ path, message: "Unknown field" })),
    ...malformed,
    ...conflicts,
  ];
}
