import type { Parameters } from "../parameters.js";
import { type Column, columnOf, type Table } from "../table.js";

/** A member of a record that a question asks for. */
interface ShownField {
  readonly key: string;
  /** SQL over one row of the table. */
  readonly value: string;
}

/** Code points of a string or text that may be asked for. */
const maxStart = 100_000;

/**
 * Reads `fields` into SQL for the record with these members only: `id` always, the others in the record's
 * order. Null when it was not sent, or is refused.
 */
export function readShownRecord<Values>(
  table: Table<Values>,
  parameters: Parameters,
): string | null {
  const text = parameters.take("fields");
  if (text === undefined) return null;
  const shown = new Map<string, string>();
  for (const name of text.split(",")) {
    const field = readField(table, name);
    if (field === null || shown.has(field.key)) {
      parameters.reject("fields", problemOf(name, field));
      return null;
    }
    shown.set(field.key, field.value);
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
function readField<Values>(table: Table<Values>, written: string): ShownField | null {
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

function fileDetails<Values>({ name: table }: Table<Values>, { name }: Column): string {
  return `case when ${name} is not null then (select details from service.uploads as _upload where _upload.key = ${table}.${name}) end`;
}

/** PostgreSQL's functions take at most 100 arguments (`FUNC_MAX_ARGS`). */
const maxMembers = 50;

/** The JSON that the emitted record makes, with these members only. Field names need no escape in SQL. */
function recordOf<Values>(table: Table<Values>, shown: ReadonlyMap<string, string>): string {
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
