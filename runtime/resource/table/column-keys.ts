import { type IdForm, idForms } from "../../values/schema/id-types.js";
import { type TimeName, timeNames, usualTimes } from "../../values/schema/record-times.js";
import { unquotedTable } from "../../values/sql/table-name.js";
import { sqlLiteral } from "../../values/sql/text.js";
import { kindOf } from "./kinds/kinds.js";
import type { Entries, EntryColumns, LocalTime } from "./rule.js";
import { type Column, columnOf, type Table } from "./table.js";

/** Returns a function from a column's name in PostgreSQL's catalog to the record's key; null for other columns. */
export function keysOfColumns(
  columns: Readonly<Record<string, Column>>,
): (column: string) => string | null {
  const keys = new Map(
    Object.entries(columns).map(([key, column]) => [unquoted(storedName(column)), key]),
  );
  return (column) => keys.get(column) ?? null;
}

type Identified = Pick<Table<never>, "columns">;

/** The column of a record's id, which every table has. */
export function idOfTable({ columns: { id } }: Identified): Column {
  if (id === undefined) throw new Error("A table has no column id");
  return id;
}

/** The name of the id's column, as SQL. */
export function idColumn(table: Identified): string {
  return idOfTable(table).name;
}

/** A parameter, given as SQL, with the id of a record. */
export function idParameter(table: Identified, parameter: string): string {
  return `${parameter}${kindOf(idOfTable(table)).cast}`;
}

/** The SQL type of ids. */
export function idSqlType(table: Identified): string {
  return kindOf(idOfTable(table)).sqlType;
}

/** SQL that is true for the record whose id is in a parameter, given as SQL. */
export function idEquals(table: Identified, parameter: string): string {
  return `${idColumn(table)} = ${idParameter(table, parameter)}`;
}

/** Whether ids are UUIDs: the change log and the trash store UUIDs unchanged, and other ids in the column `key`. */
export function hasUuids(table: Identified): boolean {
  return kindOf(idOfTable(table)).idType === "uuid";
}

/** SQL for the UUID that the change log and the trash use for a record, whose id is given as SQL. */
export function keptId(table: Identified, id: string): string {
  return hasUuids(table) ? id : `service.id_of_key(${id}::text)`;
}

/** SQL for the record's id in a row of the change log or the trash, given as SQL, to compare it with the table's id. */
export function idIn(table: Identified, kept: string): string {
  return hasUuids(table) ? `${kept}.id` : `${kept}.key::${idSqlType(table)}`;
}

/** SQL for an id, given as SQL, as the API returns it. */
export function idShown(table: Identified, id: string): string {
  return kindOf(idOfTable(table)).shown(id);
}

/** SQL for the column `id` of a result, as the API returns it; `from` names the table if the statement has several. */
export function shownId(table: Identified, from?: string): string {
  const column = idColumn(table);
  const place = from === undefined ? column : `${from}.${column}`;
  const shown = idShown(table, place);
  return shown === place && column === "id" ? shown : `${shown} as id`;
}

/** The rules for ids of a table's records. */
export function idFormOf(table: Identified): IdForm {
  return idForms[kindOf(idOfTable(table)).idType ?? "uuid"];
}

/** The table's name in PostgreSQL's catalog. */
export function plainName({ name }: Pick<Table<never>, "name">): string {
  return unquotedTable(name);
}

/** Removes the quotes that a name may need in SQL. */
export function unquoted(name: string): string {
  return name.startsWith('"') ? name.slice(1, -1).split('""').join('"') : name;
}

/** Whether rows have the column: a computed field is an expression over others, and a missing time a constant. */
export function isStored({ computed, missing, through }: Column): boolean {
  return computed === undefined && missing === undefined && through === undefined;
}

/** SQL for a column's value as the API returns it. An adopted list may be null, which is returned as an empty list. */
export function shownColumn(column: Column): string {
  const kind = kindOf(column);
  const value = kind.shown(column.name);
  return kind.isList && !column.required ? `coalesce(${value}, '{}')` : value;
}

/** The SQL type of a column's values. */
export function sqlTypeOf(column: Pick<Column, "kind" | "cast">): string {
  return column.cast ?? kindOf(column).sqlType;
}

/** The name of the stored column as SQL, without the conversion of local times. */
export function storedName({ name, local }: Pick<Column, "name" | "local">): string {
  return local?.column ?? name;
}

/** SQL for a column's value in a statement on several tables; `table` is SQL. */
export function qualified(table: string, { name, local }: Pick<Column, "name" | "local">): string {
  return local === undefined ? `${table}.${name}` : momentIn(local, `${table}.${local.column}`);
}

/** SQL for a parameter, given as SQL, to store in the column. */
export function castValue({ cast, local }: Pick<Column, "cast" | "local">, value: string): string {
  if (local !== undefined) return localValue({ local }, `${value}::timestamptz`);
  return cast === undefined ? value : `${value}::${cast}`;
}

/** Converts a value from the column's type in the API to its stored form; both are SQL. */
export function localValue({ local }: Pick<Column, "local">, value: string): string {
  return local === undefined ? value : `(${value} at time zone ${sqlLiteral(local.timezone)})`;
}

/** SQL that converts a local time to an instant. */
function momentIn({ timezone }: LocalTime, time: string): string {
  return `(${time} at time zone ${sqlLiteral(timezone)})`;
}

/** SQL that sets the column of a stored row to a value, given as SQL. */
export function assignment(column: Column, value: string): string {
  const stored = storedName(column);
  const { changed } = kindOf(column);
  if (column.local === undefined) return `${stored} = ${changed(stored, castValue(column, value))}`;
  const moment = `${value}::timestamptz`;
  const isShown = `date_trunc('milliseconds', ${column.name}) = ${moment}`;
  return `${stored} = case when ${isShown} then ${stored} else ${localValue(column, moment)} end`;
}

/** SQL that sets the time of a change; the times of a record differ by at least a millisecond. */
export function timeAssignment(column: Column): string {
  const { name } = column;
  const moment = `greatest(now(), ${name} + interval '1 millisecond')`;
  return `${storedName(column)} = ${localValue(column, moment)}`;
}

/** Returns a complete set of values in the order of the columns, as for `insert` and `replace`. */
export function columnValues<Values extends object>(
  table: Table<Values>,
  values: Values,
): readonly unknown[] {
  return writtenFields(table).map(([key, column]) =>
    kindOf(column).parameter(values[key as keyof Values]),
  );
}

/** Returns some of the values, in their own order, as parameters of a statement. */
export function parametersOf(table: Table<never>, values: object): readonly unknown[] {
  return Object.entries(values).map(([key, value]: [string, unknown]) => {
    const column = columnOf(table, key);
    return column === null ? value : kindOf(column).parameter(value);
  });
}

/** A creation or update time of records that a table has. */
export interface RecordTime {
  readonly key: TimeName;
  readonly column: Column;
}

/** The creation and update times of records that the table has. */
export function recordTimes(table: Pick<Table<never>, "columns">): readonly RecordTime[] {
  return timeNames
    .map((key) => ({ key, column: timeColumn(table, key) }))
    .filter(({ column }) => column.missing === undefined);
}

/**
 * The columns of these times that inserts must set: those of adopted tables, and columns with other than the usual
 * names, may have no default.
 */
export function setTimes(table: Pick<Table<never>, "columns" | "adopted">): readonly Column[] {
  return recordTimes(table)
    .filter(({ key, column }) => table.adopted === true || column.name !== usualTimes[key])
    .map(({ column }) => column);
}

/** Whether writes may contain the field: it is stored, and the API writes it. */
export function isWritten({ computed, readOnly }: Pick<Column, "computed" | "readOnly">): boolean {
  return computed === undefined && readOnly === undefined;
}

interface Fields {
  readonly columns: Readonly<Record<string, Column>>;
}

/** The fields that a write may contain, in the order of the columns. */
export function sentFields({ columns }: Fields): [string, Column][] {
  // The id comes before the fields, `createdAt` and `updatedAt` after them.
  return Object.entries(columns)
    .slice(1, -2)
    .filter(([, column]) => isWritten(column));
}

/** The fields that a write may contain and that are stored in the record's row. */
export function writtenFields(table: Fields): [string, Column][] {
  return sentFields(table).filter(([, { through }]) => through === undefined);
}

/** The columns of a list's entries as SQL, including the one by which the list is sorted. */
export function entryColumns({
  columns,
}: Pick<Entries, "columns">): EntryColumns & { readonly position: string } {
  if (columns !== undefined) return { ...columns, position: columns.target };
  const own = { key: "id", record: "record_id", target: "target_id", targetKey: "id" };
  return { ...own, position: "position" };
}

/** The default sort key of lists: the time of creation, or the id if records have none. */
export function newestKey({ columns }: Pick<Table<never>, "columns">): "createdAt" | "id" {
  return columns.createdAt?.missing === true ? "id" : "createdAt";
}

/** SQL that sorts the records of a table in order of creation. */
export function creationOrder(table: Pick<Table<never>, "columns" | "name">): string {
  const { name } = table;
  const first = newestKey(table) === "id" ? [] : [qualified(name, timeColumn(table, "createdAt"))];
  return [...first, `${name}.${idColumn(table)}`].join(", ");
}

/** The column of a record's creation or update time, which every table has. */
export function timeColumn({ columns }: Pick<Table<never>, "columns">, key: TimeName): Column {
  const column = columns[key];
  if (column === undefined) throw new Error(`A table has no column ${key}`);
  return column;
}

/** The column of a key that queries may compare; null if there is none. */
export function comparedColumn(table: Pick<Table<never>, "columns">, key: string): Column | null {
  const column = columnOf(table, key);
  return column?.missing === true ? null : column;
}
