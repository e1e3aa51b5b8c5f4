import type { ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import {
  idColumnOf,
  type Schema,
  type Table,
  tableIn,
} from "../../../../runtime/values/schema/schema.js";
import { sqlLiteral } from "../../../../runtime/values/sql/text.js";
import { call } from "../table.js";

/** Starts or stops logging every change of the table. */
export function setLog(table: Table, { to }: ChangeOf<"setLog">): string {
  return to ? logChanges(table, table.resource) : call("stop_log", sqlLiteral(table.name));
}

/** Logs every change of the table under the resource's name, which replaces the former name if the table is already logged. */
export function logChanges(table: Table, resource: string): string {
  const { id, name } = idColumnOf(table);
  const key = id === undefined ? [] : [name];
  return call("log_changes", ...[table.name, resource, ...key].map(sqlLiteral));
}

/**
 * Returns a statement that renames the resource in logged changes. There may be many, so it is a separate transaction,
 * which does not block the table's users; null if there are none.
 */
export function renameLogged(
  schema: Schema,
  change: ChangeOf<"renameTable"> | ChangeOf<"renameColumn">,
): string | null {
  if (change.kind === "renameColumn") return null;
  const { logged, resource } = tableIn(schema, change.table);
  if (logged === undefined) return null;
  return call("rename_logged", sqlLiteral(resource), sqlLiteral(change.to.resource));
}
