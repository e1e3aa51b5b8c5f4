import { tableOf } from "../../../runtime/values/schema/change.js";
import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import { tallyName } from "../../../runtime/values/schema/object-names.js";
import type { Schema } from "../../../runtime/values/schema/schema.js";
import { sqlLiteral } from "../../../runtime/values/sql/text.js";
import { isOfAdopted } from "../changes/adopted.js";
import { type Step, transaction } from "./step.js";
import { call, countsLiteral } from "./table.js";

/**
 * Returns the steps of a change of an adopted table, which are empty if the table itself would be altered. Null for a
 * change that is made as in any other table.
 */
export function adoptedSteps(schema: Schema, change: Change): readonly Step[] | null {
  const name = tableOf(change);
  const table = schema.tables.find((one) => one.name === name);
  if (change.kind === "setTally" && table?.adopted !== undefined) {
    if (change.to === null) return [transaction(name, [dropTally(name)])];
    const names = [name, tallyName(name)].map(sqlLiteral);
    const statement = call("adopt_tally", ...names, countsLiteral(change.to));
    return [{ kind: "tally", table: name, statement }];
  }
  if (!isOfAdopted(schema, change)) return null;
  const isCounted = change.kind === "dropTable" && table?.counts !== null;
  return isCounted ? [transaction(name, [dropTally(name)])] : [];
}

function dropTally(table: string): string {
  return call("drop_tally", sqlLiteral(table));
}
