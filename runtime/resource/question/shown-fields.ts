import type { Issues } from "../../http/index.js";
import { type Column, columnOf, type Rows } from "../table.js";

/** A requested member of a record. */
interface ShownField {
  readonly key: string;
  /** SQL over one row of the table. */
  readonly value: string;
}

/** The most code points of a string or text that may be requested. */
const maxStart = 100_000;

/**
 * Turns the names of `fields` into SQL for the record with these members only: `id` always, the others in the
 * record's order. Null when they were not sent, or are refused.
 */
export function readShownRecord(
  table: Rows,
  names: readonly string[] | undefined,
  issues: Issues,
  param = "fields",
): string | null {
  if (names === undefined) return null;
  const shown = new Map<string, string>();
  for (const name of names) {
    const field = readField(table, name);
    if (field === null || shown.has(field.key)) {
      issues.reject(param, problemOf(name, field));
      return null;
    }
    shown.set(field.key, field.value);
  }
  if (shown.size > 0) return recordOf(table, shown);
  issues.reject(param, "Must name a field");
  return null;
}

/** SQL for the record as it is shown inside another: long texts are included only where they are named. */
export function wholeRecord(table: Rows): string {
  const columns = Object.entries(table.columns);
  const { queries } = table;
  if (queries !== undefined && columns.every(([, { kind }]) => kind !== "text")) {
    return queries.record;
  }
  return recordOfColumns(table, ({ kind }) => kind !== "text");
}

/** SQL for the record with all members of these columns. */
export function recordOfColumns(
  table: Rows,
  isShown: (column: Column) => boolean = () => true,
): string {
  const shown = new Map<string, string>();
  for (const [key, column] of Object.entries<Column>(table.columns)) {
    if (!isShown(column)) continue;
    shown.set(key, columnValue(column));
    if (column.kind === "file") shown.set(`${key}File`, fileDetails(table, column));
  }
  return recordOf(table, shown);
}

function problemOf(name: string, field: ShownField | null): string {
  if (field !== null) return `Names ${field.key} twice`;
  return /^\w+:\d+$/.test(name)
    ? `"${name}" is not a string or text with 1 to ${maxStart} characters`
    : `"${name}" is not a field`;
}

/** `name`, `imageFile`, or `description:200`. */
function readField(table: Rows, written: string): ShownField | null {
  const [, name = "", length = null] = /^(\w+)(?::(\d{1,6}))?$/.exec(written) ?? [];
  const column = columnOf(table, name);
  if (column === null) {
    const file = name.endsWith("File") ? columnOf(table, name.slice(0, -"File".length)) : null;
    if (file?.kind !== "file" || length !== null) return null;
    return { key: name, value: fileDetails(table, file) };
  }
  if (length === null) return { key: name, value: columnValue(column) };
  const characters = Number(length);
  const isText = column.kind === "string" || column.kind === "text";
  if (!isText || characters < 1 || characters > maxStart) return null;
  return { key: name, value: `left(${column.name}, ${characters})` };
}

function columnValue({ kind, name }: Column): string {
  return kind === "timestamp" ? `service.iso_time(${name})` : name;
}

function fileDetails({ name: table }: Rows, { name }: Column): string {
  return `case when ${name} is not null then (select details from service.uploads as _upload where _upload.key = ${table}.${name}) end`;
}

/** PostgreSQL's functions take at most 100 arguments (`FUNC_MAX_ARGS`). */
const maxMembers = 50;

/** The same JSON as the emitted record's, with these members only. Field names need no escaping in SQL. */
function recordOf(table: Rows, shown: ReadonlyMap<string, string>): string {
  const keys = Object.keys(table.columns).flatMap((key) => [key, `${key}File`]);
  const members = keys.flatMap((key) => {
    const value = key === "id" ? "id" : shown.get(key);
    return value === undefined ? [] : [`'${key}', ${value}`];
  });
  const parts: string[] = [];
  for (let at = 0; at < members.length; at += maxMembers) {
    parts.push(`json_build_object(${members.slice(at, at + maxMembers).join(", ")})::text`);
  }
  const [first = "", ...others] = parts;
  if (others.length === 0) return first;
  const inner = parts.map((part) => `substr(left(${part}, -1), 2)`).join(", ");
  return `'{' || concat_ws(', ', ${inner}) || '}'`;
}
