import type { Queryable } from "../../../db/index.js";
import { refuse } from "../../../errors/index.js";
import { plainName } from "../../table/column-keys.js";
import type { Table } from "../../table/table.js";
import { mayDropRows, type WriteEvent } from "../join/app-triggers.js";

/** Refuses a write that an app trigger or rule dropped; returns normally if the table has neither. */
export async function refuseIfDropped(
  db: Queryable,
  table: Table<never>,
  event: WriteEvent,
): Promise<void> {
  if (!(await mayDropRows(db, { table, event }))) return;
  refuse("REFUSED", { error: `A trigger of the table "${plainName(table)}" dropped the record` });
}
