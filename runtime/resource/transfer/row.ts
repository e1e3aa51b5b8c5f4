import type { BodyIssue } from "../../errors/index.js";
import { cellWords } from "../../values/files/cell-words.js";
import { valueRequired } from "../../values/rules.js";
import { readTimestamp } from "../../values/time.js";
import { idFormOf, idOfTable } from "../table/column-keys.js";
import type { ResourceDefinition } from "../table/definition.js";
import { kindOf } from "../table/kinds/kinds.js";
import { columnOf, type Table } from "../table/table.js";
import { createOf, upsertOf } from "../write/make.js";
import type { Change, Create } from "../write/operation.js";
import { nextId } from "./ids.js";

/** A record of a file, with values as in a body of the API. */
export interface FileRow {
  /** Values by field key, including `id`, `createdAt` and `updatedAt`; unreadable values are left out. */
  readonly values: Readonly<Record<string, unknown>>;
  /** The issues found before validation. */
  readonly issues: readonly BodyIssue[];
}

/** The row as a POST that also sets the id and times. */
export function createOfRow({ table, shapes }: ResourceDefinition, row: FileRow): Create {
  const { id = null, createdAt = null, updatedAt = null, ...values } = row.values;
  const given = { id: idOf(table, id), createdAt: timeOf(createdAt), updatedAt: timeOf(updatedAt) };
  const create = createOf(table, shapes.create, {
    caller: null,
    ...idOfRow(table, given.id),
    values,
  });
  const issues = [...row.issues];
  const isWrong = (sent: unknown, read: string | null) => sent !== null && read === null;
  if (isWrong(id, given.id))
    issues.push({ path: "id", message: `Must be ${idFormOf(table).words}` });
  if (isWrong(createdAt, given.createdAt)) issues.push({ path: "createdAt", message: wrongTime });
  if (isWrong(updatedAt, given.updatedAt)) issues.push({ path: "updatedAt", message: wrongTime });
  const { createdAt: created, updatedAt: changed } = given;
  return {
    ...withIssues(create, issues),
    given: { hasId: given.id !== null, createdAt: created, updatedAt: changed },
  };
}

const wrongTime = cellWords.time;

/** The row as a PATCH of the record with that id; the row's id and times are ignored. */
export function changeOfRow(
  { table, shapes }: ResourceDefinition,
  row: FileRow,
  id: string,
): Change {
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...values } = row.values;
  const sent = { caller: null, id, values };
  return withIssues(upsertOf(table, shapes.update, sent), row.issues);
}

/**
 * The write with these issues added. They replace its own issues at the same or a parent path. The issue of a malformed
 * time names the correct format.
 */
function withIssues<One extends Create | Change>(write: One, issues: readonly BodyIssue[]): One {
  const { checked, table } = write;
  if (issues.length === 0 && checked.malformed.length === 0) return write;
  const known = new Set(issues.map(({ path }) => path));
  const others = checked.malformed
    .filter(
      ({ path }) => !known.has(path) && issues.every((one) => !one.path.startsWith(`${path}.`)),
    )
    .map((issue) => {
      const column = columnOf(table, issue.path);
      const isTime =
        column !== null && column.local === undefined && kindOf(column).time === "moment";
      return isTime && issue.message !== valueRequired ? { ...issue, message: wrongTime } : issue;
    });
  return { ...write, checked: { ...checked, malformed: [...issues, ...others] } };
}

/**
 * The id of a row's record, from the file or generated here; none if the database generates ids, or the row must have
 * one.
 */
function idOfRow(table: Table<never>, given: string | null) {
  if (given !== null) return { id: given };
  return idOfTable(table).made === undefined ? { id: nextId() } : {};
}

/** The id from a file in PostgreSQL's form; null if it is invalid. */
export function idOf(table: Table<never>, id: unknown): string | null {
  const { isId, usual } = idFormOf(table);
  return typeof id === "string" && isId(id) ? usual(id) : null;
}

function timeOf(value: unknown): string | null {
  return typeof value === "string" ? readTimestamp(value) : null;
}
