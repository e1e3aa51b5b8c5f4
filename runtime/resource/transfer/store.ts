import { messageOf, sqlState } from "../../db/index.js";
import { type BodyIssue, Refusal } from "../../errors/index.js";
import type { Actor } from "../../own-code/index.js";
import { cellWords } from "../../values/files/cell-words.js";
import { type ByRule, idBy, requireBy } from "../batch/upsert.js";
import type { Reader } from "../record/read.js";
import { inTrash } from "../rights/trashed.js";
import { type CheckedBody, isValid, refuseBody, withIssues } from "../table/body.js";
import { idEquals, sentFields } from "../table/column-keys.js";
import type { ResourceDefinition } from "../table/definition.js";
import type { Column } from "../table/table.js";
import type { Change, Write } from "../write/operation.js";
import { runWrite } from "../write/run.js";
import { differingValues, type KeyedRow, type StoredRow, storedRows } from "./compare.js";
import { type NamedLink, targetFinder, withTargets } from "./key.js";
import { changeOfRow, createOfRow, type FileRow, idOf } from "./row.js";

export interface RowsPlan {
  readonly definition: ResourceDefinition;
  /** The rule by which a row's record is found; null if every row is a new one. */
  readonly by: ByRule | null;
  readonly links: readonly NamedLink[];
}

/** The outcome of a row: its record was created or updated, or the row has issues. */
export type RowOutcome = "created" | "updated" | readonly RowIssue[];

/** A mistake in a row; `path` is null for the whole row. */
export interface RowIssue {
  readonly path: string | null;
  readonly message: string;
}

/** Stores rows one after another: see `rowStore`. */
export interface KeyedStore {
  /** The id of the record with the row's values in the rule's fields; null if there is none. */
  find(row: FileRow, rule: ByRule): Promise<string | null>;
  create(row: FileRow): Promise<"created">;
  /** Creates the record of a row that matched none by the rule. Only an id in the trash can still be taken. */
  add(row: FileRow): Promise<"created">;
  change(row: FileRow, id: string): Promise<"updated">;
  /**
   * The stored state of the record that each row matches by the rule, with one statement. Compares some fields, or all.
   */
  stored(
    rows: readonly FileRow[],
    rule: ByRule,
    isCompared?: (key: string, column: Column) => boolean,
  ): Promise<readonly Found[]>;
  /** The change of the values that differ; null if none does. */
  difference(row: FileRow, stored: StoredRow): Change | null;
  /** Updates the values that differ. */
  settle(row: FileRow, stored: StoredRow): Promise<"updated" | "unchanged">;
}

/** The record that a row matches, and a function that returns its change; or the issues of the values in the rule. */
export type Found =
  | { readonly stored: null }
  | { readonly stored: StoredRow; readonly change: () => Change }
  | { readonly issues: readonly RowIssue[] };

/**
 * Stores rows in the actor's transaction, each in a savepoint, like a POST or a PATCH of the app itself: field rules do
 * not apply, hooks run. Throws if a row has issues: see `rowIssuesOf`.
 */
export function keyedStore(
  actor: Actor,
  connection: Pick<Reader, "query">,
  definition: ResourceDefinition,
): KeyedStore {
  const { table } = definition;
  const run = (write: Write) => runWrite(actor, write);

  async function isThere(id: string): Promise<boolean> {
    const living = await connection.query(
      `select from ${table.name} where ${idEquals(table, "$1")}`,
      [id],
    );
    return living.length > 0 || isTrashed(id);
  }

  async function isTrashed(id: string): Promise<boolean> {
    if (table.trash === undefined) return false;
    return (await connection.query(`select where ${inTrash(table, "$1")}`, [id])).length > 0;
  }

  /** Creates the record of a row, unless its id is taken. */
  async function create(row: FileRow, isIdTaken: (id: string) => Promise<boolean>) {
    const made = createOfRow(definition, row);
    const isTaken = made.given?.hasId === true && made.id !== null && (await isIdTaken(made.id));
    await run({ ...made, checked: withIssues(made.checked, isTaken ? [idTaken] : []) });
    return "created" as const;
  }

  return {
    add: (row) => create(row, isTrashed),
    create: (row) => create(row, isThere),
    difference: (row, stored) => changeOfDifference(definition, row, stored),
    async find(row, rule) {
      const keys = new Set(keysOf(rule));
      return idBy(connection, { table, rule }, keyed(definition, row, { rule, keys }));
    },
    async stored(rows, rule, isCompared = () => true) {
      const wrong = new Map<number, readonly RowIssue[]>();
      const compared = sentFields(table).flatMap(([key, column]) =>
        isCompared(key, column) ? [key] : [],
      );
      const keys = new Set([...keysOf(rule), ...compared]);
      const sent = rows.flatMap((row, at): KeyedRow[] => {
        try {
          return [{ row: at, values: { ...keyed(definition, row, { rule, keys }) } }];
        } catch (error) {
          wrong.set(at, rowIssuesOf(error));
          return [];
        }
      });
      const found = await storedRows(connection, { table, rule, isCompared }, sent);
      return rows.map((row, at) => {
        const issues = wrong.get(at);
        if (issues !== undefined) return { issues };
        const stored = found.get(at) ?? null;
        return stored === null
          ? { stored }
          : { stored, change: () => changeOfRow(definition, row, stored.id) };
      });
    },
    async change(row, id) {
      await run(changeOfRow(definition, row, id));
      return "updated";
    },
    async settle(row, stored) {
      const change = changeOfDifference(definition, row, stored);
      if (change === null) return "unchanged";
      await run(change);
      return "updated";
    },
  };
}

/** The values of the row with these keys. If a value of the rule is missing, throws all issues of the row. */
function keyed(
  definition: ResourceDefinition,
  row: FileRow,
  { rule, keys }: { readonly rule: ByRule; readonly keys: ReadonlySet<string> },
): object {
  const isOfRule = (path: string) => rule.some(({ key }) => path === key);
  // Only these values: whether the record exists decides how the others are checked.
  const few: Record<string, unknown> = {};
  for (const key of keys) {
    if (Object.hasOwn(row.values, key)) few[key] = row.values[key];
  }
  const own = { values: few, issues: row.issues.filter(({ path }) => keys.has(path)) };
  const { values, malformed } = requiredBy(definition, own, rule);
  if (!malformed.some(({ path }) => isOfRule(path))) return values;
  return refuseBody(requiredBy(definition, row, rule), []);
}

function requiredBy(
  definition: ResourceDefinition,
  row: FileRow,
  rule: ByRule,
): CheckedBody<object> {
  const { checked } = changeOfRow(definition, row, "");
  const isById = rule.some(({ key }) => key === "id");
  const id = isById ? idOf(definition.table, row.values.id) : null;
  const given = isById ? { ...checked, values: { ...checked.values, id } } : checked;
  return requireBy(given, rule);
}

/** The change of the values that differ from the stored ones; null if none does. */
function changeOfDifference(
  definition: ResourceDefinition,
  row: FileRow,
  stored: StoredRow,
): Change | null {
  const change = changeOfRow(definition, row, stored.id);
  const { checked } = change;
  if (!isValid(checked)) return change;
  const values = differingValues({ ...checked.values }, stored);
  if (Object.keys(values).length === 0) return null;
  return { ...change, checked: { ...checked, values } };
}

function keysOf(rule: ByRule): readonly string[] {
  return rule.map(({ key }) => key);
}

/** Stores the rows of a plan one after another: see `keyedStore`. */
export function rowStore(
  actor: Actor,
  connection: Pick<Reader, "query">,
  { definition, by, links }: RowsPlan,
): (row: FileRow) => Promise<RowOutcome> {
  const find = targetFinder(connection);
  const store = keyedStore(actor, connection, definition);
  return async (row) => {
    try {
      const [ready = row] = await withTargets(find, links, [row]);
      if (by === null) return await store.create(ready);
      const id = await store.find(ready, by);
      return id === null ? await store.add(ready) : await store.change(ready, id);
    } catch (error) {
      return rowIssuesOf(error);
    }
  };
}

const idTaken: BodyIssue = { path: "id", message: cellWords.taken };

/** The issues of the row that caused an error. Rethrows an error with another cause. */
export function rowIssuesOf(error: unknown): readonly RowIssue[] {
  const issues = issuesOf(error);
  if (issues === null) throw error;
  return issues;
}

/** The issues of the row that caused an error; null for an error with another cause. */
function issuesOf(error: unknown): readonly RowIssue[] | null {
  if (error instanceof Refusal) {
    if (error.status >= 500) return null;
    const { issues = [], field } = error;
    const named = issues.flatMap((issue) => ("path" in issue ? [issue] : []));
    if (named.length === 0) return [{ path: field ?? null, message: error.message }];
    return named.map(({ path, message }) => ({ path: path === "" ? null : path, message }));
  }
  // Values that PostgreSQL cannot compute with, for example in a generated column of the app.
  const isRefused = error instanceof Error && /^22/.test(sqlState(error) ?? "");
  return isRefused ? [{ path: null, message: messageOf(error) }] : null;
}
