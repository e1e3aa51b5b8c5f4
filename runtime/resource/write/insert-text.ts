import { versionSql } from "../record/tag.js";
import { onceFor } from "../rights/once-for.js";
import {
  castValue,
  idColumn,
  idOfTable,
  idSqlType,
  localValue,
  recordTimes,
  setTimes,
  shownId,
  storedName,
  writtenFields,
} from "../table/column-keys.js";
import type { Values } from "../table/conflicts.js";
import { columnOf, type Table } from "../table/table.js";
import { untaken } from "../table/uniques.js";

/** What an insert of some of a table's columns consists of. */
interface Inserted {
  /** SQL for the record as JSON text. */
  readonly record: string;
  /** Whether the id is in the parameters; otherwise the database generates it, and `$1` is null. */
  readonly hasId: boolean;
  /** Whether the values are followed by the times of creation and change; null means now. */
  readonly hasTimes: boolean;
  readonly conditions: readonly string[];
}

/** An insert of a record with only these fields, otherwise like the generated `insert`, with the same parameters. */
export function insertText(
  table: Table<never>,
  keys: readonly string[],
  { record, hasId, hasTimes, conditions }: Inserted,
): string {
  const valueAt = (at: number) => `$${at + 2}`;
  const id = idColumn(table);
  const known = idOfTable(table).made === undefined ? "$1" : `$1::${idSqlType(table)}`;
  const own = hasId ? [{ name: id, value: known }] : [];
  const fields = keys.map((key, at) => {
    const column = columnOf(table, key);
    return {
      name: column === null ? "" : storedName(column),
      value: column === null ? valueAt(at) : castValue(column, valueAt(at)),
    };
  });
  const times = hasTimes
    ? recordTimes(table).map(({ column }, at) => ({
        name: storedName(column),
        value: localValue(column, `coalesce(${valueAt(keys.length + at)}, now())`),
      }))
    : setTimes(table).map((column) => ({
        name: storedName(column),
        value: localValue(column, "now()"),
      }));
  const columns = [...own, ...fields, ...times];
  const free = [
    // PostgreSQL rejects a parameter that the statement does not use.
    hasId ? `not exists (select from ${table.name} where ${id} = ${known})` : "$1::text is null",
    ...untaken(table, keys, { id: hasId ? known : null, valueAt, isNew: true }),
    ...conditions,
  ];
  // The column may be `generated always as identity`.
  const overriding =
    hasId && idOfTable(table).made === "database" ? " overriding system value" : "";
  return `
      insert into ${table.name} (${columns.map(({ name }) => name).join(", ")})${overriding}
      select ${columns.map(({ value }) => value).join(", ")}
      where ${free.join(" and ")}
      returning ${record} as json, ${versionSql(table)} as version, ${shownId(table)}`;
}

const columnDefaults = onceFor((table: Table<never>): readonly string[] =>
  writtenFields(table).flatMap(([key, column]) => (column.columnDefault === true ? [key] : [])),
);

/** Whether a new record may leave fields to column defaults. */
export function hasColumnDefaults(table: Table<never>): boolean {
  return columnDefaults(table).length > 0;
}

/** The fields that a new record with these values leaves to column defaults. */
export function leftToColumns(table: Table<never>, values: Values): readonly string[] {
  return columnDefaults(table).filter((key) => values[key] === undefined);
}
