import { tableOf } from "../../../runtime/values/schema/change.js";
import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import type { Schema } from "../../../runtime/values/schema/schema.js";

/** Changes of what stands beside a table: adopted tables have them as others do. */
const beside: ReadonlySet<Change["kind"]> = new Set(["setTally", "setLog", "setTrash", "setWords"]);

/** Whether a change is one of an adopted table itself, which migrations record and do not make. */
export function isOfAdopted({ tables }: Schema, change: Change): boolean {
  if (beside.has(change.kind)) return false;
  if (change.kind === "createTable") return change.table.adopted !== undefined;
  return tables.find(({ name }) => name === tableOf(change))?.adopted !== undefined;
}
