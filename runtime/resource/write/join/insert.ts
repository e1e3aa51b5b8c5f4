import { versionSql } from "../../record/tag.js";
import { onceFor } from "../../rights/once-for.js";
import { wholeView } from "../../rights/view.js";
import { isLogged, writerOfEach } from "../../rights/writer.js";
import {
  localValue,
  setTimes,
  shownId,
  sqlTypeOf,
  storedName,
  writtenFields,
} from "../../table/column-keys.js";
import type { Column, Table } from "../../table/table.js";
import type { Written } from "../operation.js";
import { appTriggerSql } from "./app-triggers.js";
import { type Joint, type JointRow, lockLimit, type Sent, settingsSql } from "./joint.js";

/**
 * Inserts several records: all of them, each once and with its given id, or none. Before anything runs, it refuses
 * tables whose inserts run app triggers (`appTriggerSql`), which may drop rows, change their ids or count statements.
 * No trigger is missed, because creating one waits for statements that write to the table. Later errors roll back the
 * statement.
 *
 * The values are one parameter, so the text is the same for any number of records.
 */
export const insertSeveral = onceFor((table: Table<never>): Joint => {
  const { name, columns, record } = wholeView(table);
  const fields = [...Object.entries<Column>(columns).slice(0, 1), ...writtenFields(table)];
  const times = setTimes(table);
  const names = [...fields.map(([, column]) => column), ...times].map(storedName).join(", ");
  const writer = isLogged(table) ? "$4" : null;
  const values = [
    ...fields.map(([, column], at) => localValue(column, `_${at}`)),
    ...times.map((column) => localValue(column, "now()")),
  ];
  const types = fields.map(([, column], at) => `_${at} ${sqlTypeOf(column)}`);
  // The types are listed, because the table's row type also has the app's columns. One whose domain is `not null`
  // cannot be omitted from a row, but it can from an insert. The condition refers to no rows, so it is evaluated before
  // the insert begins: casting the name of a trigger to boolean fails.
  const text = `
    with _inserted as (
      insert into ${name} (${names})
      select ${values.join(", ")}
      from
        (${settingsSql("$3", writer)}) as _settings,
        json_to_recordset($1) as _sent (${types.join(", ")})
      returning ${record} as json, ${versionSql(table)} as version, ${shownId(table)}
    )
    select * from _inserted
    where ${appTriggerSql("$2::text::regclass", "insert")}::boolean is null`;
  return {
    name: "create",
    event: "insert",
    text,
    parameters: (sent, lockMs) => {
      const rows = sent.map(({ id, values: one }) =>
        Object.fromEntries(fields.map(([key], at) => [`_${at}`, at === 0 ? id : one[key]])),
      );
      return [
        JSON.stringify(rows),
        name,
        lockLimit(lockMs),
        ...(writer === null ? [] : [writerOfEach(sent)]),
      ];
    },
    outcomes: storedRecords,
  };
});

/** The inserted records, in the order in which they were sent. */
export function storedRecords(
  sent: readonly Sent[],
  rows: readonly JointRow[],
): readonly Written[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return sent.map(({ id }) => {
    const { json = null, version = null } = byId.get(id) ?? {};
    if (json === null || version === null) {
      throw new Error("A record was not stored as it was sent");
    }
    return { id, record: { json, version } };
  });
}
