import { tableOf } from "../../../runtime/values/schema/change.js";
import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import type { Schema } from "../../../runtime/values/schema/schema.js";

/** Changes of objects next to a table, which are made for adopted tables as for others. */
const beside: ReadonlySet<Change["kind"]> = new Set(["setTally", "setLog", "setTrash", "setWords"]);

/** Whether a change alters an adopted table itself. Migrations only record such a change and do not make it. */
export function isOfAdopted({ tables }: Schema, change: Change): boolean {
  if (beside.has(change.kind)) return false;
  if (change.kind === "createTable") return change.table.adopted !== undefined;
  return tables.find(({ name }) => name === tableOf(change))?.adopted !== undefined;
}
