import type { ChangeOf } from "../../../../runtime/values/schema/change.js";
import { type Schema, type Table, tableIn } from "../../../../runtime/values/schema/schema.js";
import { sqlLiteral } from "../../../../runtime/values/sql/text.js";
import { call } from "../table.js";

/** Logs every change of the table from now on, or no longer. */
export function setLog({ name, resource }: Table, { to }: ChangeOf<"setLog">): string {
  return to ? logChanges(name, resource) : call("stop_log", sqlLiteral(name));
}

/** Also gives the changes of a table that is logged already the name of its resource. */
export function logChanges(table: string, resource: string): string {
  return call("log_changes", sqlLiteral(table), sqlLiteral(resource));
}

/**
 * What was logged keeps the resource's name. There may be much of it, so that this is a separate transaction, which
 * does not block users of the table; null where there is nothing.
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
