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
import { isTimed, listsIn, withoutLists } from "./lists/values.js";
import type { Change, Create, Delete } from "./operation.js";

/**
 * The statement returns an `InsertedRow`; no row if another record has a unique value, or a link refers to a record
 * that the caller may not use.
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
  // Reverting a delete creates the record again with its id, even if the database generates ids.
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

/** An insert of a record with a known id or, in an import, known times, or of one that leaves fields to defaults. */
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

/** Like `createStatement`; returns no row if the record does not match the precondition. Null if nothing changes. */
export function changeStatement(
  write: Change,
  values: Values,
  by: string | null = null,
): Statement | null {
  const { kind, table, id } = write;
  const own = withoutLists(table, values);
  // The generated statement does not read the stored values of adopted columns.
  const isEmitted = kind === "replace" && table.adopted !== true;
  const isWhole = isEmitted && fieldKeys(table).every((key) => Object.hasOwn(own, key));
  if (isWhole) {
    const keys = fieldKeys(table);
    const { replace: make } = table.queries;
    const parameters = [id, ...columnValues(table, values)];
    return statementOn(write, { name: "replace", keys, make, by }, parameters);
  }
  const keys = Object.keys(own);
  if (keys.length === 0 && (listsIn(table, values).length === 0 || !isTimed(table))) return null;
  const name = JSON.stringify(keys);
  const make = (places: Places) => updateText(table, keys, places);
  return statementOn(write, { name, keys, make, by }, [id, ...parametersOf(table, own)]);
}

/** The statement returns the id; no row if there is no such record, or it does not match the precondition. */
export function deleteStatement(write: Delete, by: string | null = null): Statement {
  const { table, id } = write;
  const make = table.queries.delete;
  return statementOn(write, { name: "delete", keys: [], make, by }, [id]);
}

/** SQL from the view that a statement on a stored record needs. */
interface Places {
  readonly record: string;
  readonly row: string;
}

interface Shape {
  /** Unique within the view. */
  readonly name: string;
  /** The written fields, in parameter order. */
  readonly keys: readonly string[];
  readonly make: (places: Places) => string;
  /** The author of the write, from `writerOf`. */
  readonly by: string | null;
}

/**
 * A statement on a stored record: `$1` is its id, followed by the values of the fields. The statement itself checks
 * that the caller may write the row and that the row matches the precondition, so that concurrent changes count.
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

/** The condition that records the author, whose parameter is the last one; empty if there is no author parameter. */
function noted(writer: readonly (string | null)[], parameters: number): readonly string[] {
  return writer.length === 0 ? [] : [writerNoted(`$${parameters}`)];
}

function all(conditions: readonly string[]): string {
  return conditions.length === 0 ? "true" : conditions.join(" and ");
}

function fieldKeys(table: Table<never>): readonly string[] {
  return writtenFields(table).map(([key]) => key);
}

/** SQL that a link's condition may refer to: the account, and the stored row if there is one. */
interface TargetPlaces {
  readonly account: AccountSql;
  readonly stored?: (column: string) => string;
}

/** Conditions for links that may refer only to some records; `$2` is the value of the first key. */
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

/** Returns SQL for the stored value of a column. */
function storedIn({ name }: Table<never>): (column: string) => string {
  return (column) => `${name}.${column}`;
}

/**
 * The statement of a PATCH: like the generated `replace`, for some of the fields. `$1` is the id, followed by their
 * values. For rules on several fields, the stored values complete them.
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

/** Statement texts of all views. Clients choose which fields a change has, so the number of shapes is unlimited. */
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
