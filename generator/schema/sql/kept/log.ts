import type { ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import { type Schema, type Table, tableIn } from "../../../../runtime/values/schema/schema.js";
import { sqlLiteral } from "../../../../runtime/values/sql/text.js";
import { call } from "../table.js";

/** Starts or stops logging every change of the table. */
export function setLog({ name, resource }: Table, { to }: ChangeOf<"setLog">): string {
  return to ? logChanges(name, resource) : call("stop_log", sqlLiteral(name));
}

/** Also adds the resource's name to changes of a table that is already logged. */
export function logChanges(table: string, resource: string): string {
  return call("log_changes", sqlLiteral(table), sqlLiteral(resource));
}

/**
 * Logged changes keep the resource's name. There may be many, so this is a separate transaction,
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
