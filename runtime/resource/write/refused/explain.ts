import { foreignKeyViolation, tableRefusal } from "../../../db/index.js";
import { refuse } from "../../../errors/index.js";
import type { Actor } from "../../../own-code/index.js";
import { plainName } from "../../table/column-keys.js";
import type { Table } from "../../table/table.js";
import type { Write } from "../operation.js";
import { listIn, refuseByTable } from "./by-table.js";
import { refuseConflict } from "./conflict.js";
import { inUse, tableOf } from "./in-use.js";

/** Translates the refusal of a constraint or trigger; rethrows any other error. */
export async function explainRefusal(actor: Actor, error: unknown, write: Write): Promise<never> {
  const { table, id } = write;
  const { db, log } = actor.services;
  const reader = db.ofResource(table.resource);
  const link = tableRefusal(error)?.kind === "link" ? foreignKeyViolation(error) : null;
  if ("checked" in write) await refuseConflict(error, reader, write);
  // A change may remove a value that other records refer to, or break a link of the record itself.
  const isOwn = link !== null && isOfRecord(table, tableOf(link));
  if (link !== null && id !== null && (write.kind === "delete" || !isOwn)) {
    return refuse("IN_USE", { error: await inUse(reader, table, { id, link }) });
  }
  return refuseByTable(error, { db: reader, log, tables: [table] });
}

/** Whether the table with this name stores the record itself, or the links of one of its lists. */
function isOfRecord(table: Table<never>, name: string): boolean {
  return name === plainName(table) || listIn(table, name) !== null;
}
