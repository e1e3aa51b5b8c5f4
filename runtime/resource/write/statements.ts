import { tagSql, versionSql } from "../record/tag.js";
import {
  type AccountSql,
  type Statement,
  type StatementText,
  textWithAccount,
  withAccount,
} from "../rights/account.js";
import { Latest } from "../rights/latest.js";
import { onceFor } from "../rights/once-for.js";
import { rowsSeen } from "../rights/view.js";
import type { WriteView } from "../rights/writable.js";
import { isLogged, writerNoted } from "../rights/writer.js";
import {
  assignment,
  columnValues,
  idColumn,
  idOfTable,
  idParameter,
  parametersOf,
  recordTimes,
  timeAssignment,
  timeColumn,
  writtenFields,
} from "../table/column-keys.js";
import type { Values } from "../table/conflicts.js";
import { columnOf, type Table } from "../table/table.js";
import { untaken } from "../table/uniques.js";
import { insertText, leftToColumns } from "./insert-text.js";
import { isTimed, withoutLists } from "./lists/values.js";
import type { Change, Create, Delete } from "./operation.js";

/**
 * Returns an `InsertedRow`; none if another record already has a unique value, or a link leads to a record that the
 * caller may not use.
 */
export function createStatement(
  write: Create,
  values: Values,
  by: string | null = null,
): Statement {
  const { table, view, account, id, given } = write;
  const keys = fieldKeys(table);
  const writer = isLogged(table) ? [by] : [];
  const left = leftToColumns(table, values);
  // A reverted delete creates the record under its id again, also if the database makes ids.
  const isKnown = id !== null && idOfTable(table).made === "database";
  if (given !== undefined || left.length > 0 || isKnown) {
    const stored = keys.filter((key) => !left.includes(key));
    return partialInsert(write, stored, { values, writer });
  }
  const parameters = [id, ...columnValues(table, values), ...writer];
  const text = keptText(view, "insert", () =>
    textWithAccount(parameters.length, (sql) => {
      const row = [
        ...targetConditions(view, keys, { account: sql }),
        ...noted(writer, parameters.length),
      ];
      return table.queries.insert({ record: view.record, row: all(row) });
    }),
  );
  return withAccount(text, parameters, account);
}

/** The insert of an imported record, with its own id and times, or of one some of whose columns have a default. */
function partialInsert(
  { table, view, account, id, given }: Create,
  keys: readonly string[],
  { values, writer }: { readonly values: Values; readonly writer: readonly (string | null)[] },
): Statement {
  const times = given === undefined ? [] : recordTimes(table).map(({ key }) => given[key]);
  const own = keys.map((key) => [key, values[key]] as const);
  const parameters = [id, ...parametersOf(table, Object.fromEntries(own)), ...times, ...writer];
  const shape = [id !== null, given !== undefined, ...keys];
  const text = keptText(view, `insert ${JSON.stringify(shape)}`, () =>
    textWithAccount(parameters.length, (sql) =>
      insertText(table, keys, {
        record: view.record,
        hasId: id !== null,
        hasTimes: given !== undefined,
        conditions: [
          ...targetConditions(view, keys, { account: sql }),
          ...noted(writer, parameters.length),
        ],
      }),
    ),
  );
  return withAccount(text, parameters, account);
}

/** Like `createStatement`; returns no row if the record does not fulfil the precondition. Null if nothing changes. */
export function changeStatement(
  write: Change,
  values: Values,
  by: string | null = null,
): Statement | null {
  const { kind, table, id } = write;
  const own = withoutLists(table, values);
  // The emitted statement does not read the stored values of adopted columns.
  const isEmitted = kind === "replace" && table.adopted !== true;
  const isWhole = isEmitted && fieldKeys(table).every((key) => Object.hasOwn(own, key));
  if (isWhole) {
    const keys = fieldKeys(table);
    const { replace: make } = table.queries;
    const parameters = [id, ...columnValues(table, values)];
    return statementOn(write, { name: "replace", keys, make, by }, parameters);
  }
  const keys = Object.keys(own);
  if (keys.length === 0 && (own === values || !isTimed(table))) return null;
  const name = JSON.stringify(keys);
  const make = (places: Places) => updateText(table, keys, places);
  return statementOn(write, { name, keys, make, by }, [id, ...parametersOf(table, own)]);
}

/** Returns the id; no row if there is no such record, or it does not fulfil the precondition. */
export function deleteStatement(write: Delete, by: string | null = null): Statement {
  const { table, id } = write;
  const make = table.queries.delete;
  return statementOn(write, { name: "delete", keys: [], make, by }, [id]);
}

/** The parts of the view that a statement on a stored record needs. */
interface Places {
  readonly record: string;
  readonly row: string;
}

interface Shape {
  /** Unique among the shapes of the view. */
  readonly name: string;
  /** The written fields, in the order of their values. */
  readonly keys: readonly string[];
  readonly make: (places: Places) => string;
  /** The author, from `writerOf`. */
  readonly by: string | null;
}

/**
 * A statement on a stored record: `$1` is its id, followed by the values of the fields. The caller must have the right
 * to write the row, which must fulfil the precondition; the statement itself checks both, so that concurrent changes
 * count.
 */
function statementOn(
  { kind, table, view, ifMatch, account }: Change | Delete,
  { name, keys, make, by }: Shape,
  values: readonly unknown[],
): Statement {
  const isMatched = ifMatch !== null;
  // Rows of other tables that are deleted or changed with the record may be logged, even if this
  // table is not.
  const writer = kind === "delete" || isLogged(table) ? [by] : [];
  const parameters = [...values, ...(isMatched ? [ifMatch] : []), ...writer];
  const text = keptText(
    view,
    isMatched ? `if ${name}` : name,
    (): StatementText =>
      textWithAccount(parameters.length, (sql) => {
        const matching = isMatched ? [`${tagSql(view)} = any($${values.length + 1})`] : [];
        const row = [
          rowsSeen(view, sql),
          ...matching,
          ...targetConditions(view, keys, { account: sql, stored: storedIn(table) }),
          ...noted(writer, parameters.length),
        ];
        return make({ record: view.record, row: all(row) });
      }),
  );
  return withAccount(text, parameters, account);
}

/** The condition that records the author, if that is the last parameter. */
function noted(writer: readonly (string | null)[], parameters: number): readonly string[] {
  return writer.length === 0 ? [] : [writerNoted(`$${parameters}`)];
}

function all(conditions: readonly string[]): string {
  return conditions.length === 0 ? "true" : conditions.join(" and ");
}

function fieldKeys(table: Table<never>): readonly string[] {
  return writtenFields(table).map(([key]) => key);
}

/** The account, and the stored row if there is one, in the condition of a link. */
interface TargetPlaces {
  readonly account: AccountSql;
  readonly stored?: (column: string) => string;
}

/** Conditions for links that may not lead to every record; `$2` is the value of the first key. */
function targetConditions(
  { targets }: WriteView,
  keys: readonly string[],
  { account, stored }: TargetPlaces,
): readonly string[] {
  return keys.flatMap((key, at) => {
    const target = targets.get(key);
    if (target === undefined) return [];
    const value = `$${at + 2}`;
    return [target(value, account, stored)];
  });
}

/** SQL over a stored row: its value in a column. */
function storedIn({ name }: Table<never>): (column: string) => string {
  return (column) => `${name}.${column}`;
}

/**
 * The statement of a PATCH: like the emitted `replace`, for some of the fields. `$1` is the id, followed by their
 * values. Rules on several fields use the stored values of the others.
 */
function updateText(table: Table<never>, keys: readonly string[], { record, row }: Places): string {
  const valueAt = (at: number) => `$${at + 2}`;
  const id = idParameter(table, "$1");
  return `
      update ${table.name}
      set ${assignments(table, keys, valueAt)}
      where ${[`${idColumn(table)} = ${id}`, row, ...untaken(table, keys, { id, valueAt })].join(" and ")}
      returning ${record} as json, ${versionSql(table)} as version`;
}

/** SQL that sets these fields and the time of the change; `valueAt` returns the SQL of a value by position. */
export function assignments(
  table: Table<never>,
  keys: readonly string[],
  valueAt: (at: number) => string,
): string {
  const columns = keys.flatMap((key) => columnOf(table, key) ?? []);
  const updatedAt = timeColumn(table, "updatedAt");
  return [
    ...columns.map((column, at) => assignment(column, valueAt(at))),
    ...(updatedAt.missing === true ? [] : [timeAssignment(updatedAt)]),
  ].join(", ");
}

/** Texts of all views: clients choose the fields of a change, so there may be any number of shapes. */
const kept = new Latest<StatementText>(1_000);

let views = 0;
const numberOf = onceFor((_: WriteView) => {
  views += 1;
  return views;
});

/** The cached text of a view's statement; `shape` names everything else that the text depends on. */
function keptText(view: WriteView, shape: string, make: () => StatementText): StatementText {
  return kept.get(`${numberOf(view)} ${shape}`, make);
}
