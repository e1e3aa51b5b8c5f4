import type { Action, Columns, Table } from "../table/table.js";
import { byRole } from "./by-role.js";
import { closedKeys, isForOwnOnly } from "./rules.js";
import { type OwnRows, type View, viewOf, wholeView } from "./view.js";
import { without } from "./without.js";

/**
 * The table as an account with this role may read it by that action: without the fields that it may not read,
 * and with own records only where the rule admits it as the owner only.
 */
export const readable = byRole((table, action, role): View => {
  const own = ownRowsOf(table, table.access[action], role);
  const view = withFields(table, role);
  return own === null ? view : { ...view, own };
});

/** All rows of the table, without the fields that the role may not read. */
export function withFields(table: Table<never>, role: string | null): View {
  const closed = closedKeys(table, "read", role);
  if (closed.length === 0) return wholeView(table);
  return viewOf(table, without(table.columns, closed) as Columns<never>);
}

/** The rows that belong to the caller; null where the rule admits the role to all rows. */
export function ownRowsOf(
  { owner }: Table<never>,
  rule: Table<never>["access"][Action],
  role: string | null,
): OwnRows | null {
  if (owner === undefined || !isForOwnOnly(rule, role)) return null;
  const { column, leadsTo } = owner;
  if (leadsTo !== undefined) return (row, account) => leadsTo(`${row}.${column}`, account());
  return (row, account) => `${row}.${column} = ${account()}`;
}
