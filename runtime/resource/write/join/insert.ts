import type { Statement } from "../../rights/account.js";
import { wholeView } from "../../rights/view.js";
import type { ColumnKind } from "../../table/column-kinds.js";
import type { Values } from "../../table/conflicts.js";
import type { Table } from "../../table/table.js";
import type { Create, InsertedRow, Written } from "../operation.js";
import { ownTriggerSql } from "./own-triggers.js";

/** A new record with an id for it. */
export interface NewRow {
  readonly id: string;
  readonly values: Values;
}

export function rowOf({ id, checked }: Create): NewRow {
  return { id, values: { ...checked.values } };
}

/**
 * Inserts several records: all of them, each once and under the id that was sent, or none. It refuses a table whose
 * inserts run something of the app's own (`ownTriggerSql`), before anything has run: such a trigger may leave rows
 * out or change their ids, and counts statements, or rows of the same statement, that nobody asked for. No trigger
 * is missed, as creating one waits for statements that write the table. What can still fail undoes the statement.
 *
 * The values are one parameter, so that one text serves for any number of records. `lockMs` limits how many
 * milliseconds it waits for a lock on a row.
 */
export function insertSeveral(
  table: Table<never>,
  rows: readonly NewRow[],
  lockMs?: number,
): Statement {
  const { name, columns, record } = wholeView(table);
  // The id comes before the fields, `createdAt` and `updatedAt` after them.
  const fields = Object.entries(columns).slice(0, -2);
  const names = fields.map(([, column]) => column.name).join(", ");
  const values = fields.map((_, at) => `_${at}`);
  const types = fields.map(([, { kind }], at) => `_${at} ${sqlTypes[kind]}`);
  const sent = rows.map(({ id, values: one }) =>
    Object.fromEntries(fields.map(([key], at) => [`_${at}`, at === 0 ? id : one[key]])),
  );
  // The types are named, as the table's own row type has columns of the app's own: one whose domain is `not null`
  // cannot be left out of a row, though it can be left out of an insert. The condition is without rows, so it is
  // decided before the insert begins; a name is no boolean value.
  const text = `
    with _inserted as (
      insert into ${name} (${names})
      select ${values.join(", ")}
      from
        (select set_config('lock_timeout', coalesce($3, current_setting('lock_timeout')), true)) as _limit,
        json_to_recordset($1) as _sent (${types.join(", ")})
      returning ${record} as json, xmin::text as version, id
    )
    select * from _inserted
    where ${ownTriggerSql("$2::text::regclass")}::boolean is null`;
  const limit = lockMs === undefined ? null : `${lockMs}ms`;
  return { text, parameters: [JSON.stringify(sent), name, limit] };
}

/** As what the columns of each kind are created, without lengths and digits: those the table checks. */
const sqlTypes: Readonly<Record<ColumnKind, string>> = {
  id: "uuid",
  belongsTo: "uuid",
  string: "text",
  file: "text",
  text: "text",
  decimal: "numeric",
  double: "double precision",
  integer: "bigint",
  boolean: "boolean",
  date: "date",
  timestamp: "timestamptz",
  enum: "text",
};

/** What `insertSeveral` has stored, in the order of what was sent. */
export function storedRows(
  sent: readonly NewRow[],
  rows: readonly InsertedRow[],
): readonly Written[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return sent.map(({ id }) => {
    const row = byId.get(id);
    if (row === undefined) throw new Error("A record was not stored as it was sent");
    return { id, record: { json: row.json, version: row.version } };
  });
}
