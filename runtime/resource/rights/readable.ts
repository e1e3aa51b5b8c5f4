import type { Columns, Table } from "../table/table.js";
import { without } from "./body.js";
import { byRole } from "./by-role.js";
import { someRows } from "./grants/grants.js";
import { closedKeys } from "./rules.js";
import { type View, viewOf, wholeView } from "./view.js";

/**
 * The table as accounts with this role may read it by that action: without fields that the role may not read, and with
 * only the records to which the rule grants access.
 */
export const readable = byRole((table, action, role): View => {
  const own = someRows(table, table.access[action], role);
  const view = withFields(table, role);
  return own === null ? view : { ...view, own };
});

/** All rows of the table, without the fields that the role may not read. */
export function withFields(table: Table<never>, role: string | null): View {
  const closed = closedKeys(table, "read", role);
  if (closed.length === 0) return wholeView(table);
  return viewOf(table, without(table.columns, closed) as Columns<never>);
}
