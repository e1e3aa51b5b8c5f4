import type { FoundTable, TableRight } from "../../catalogue/catalogue.js";
import type { AdoptedField, ClosedAction, Remark } from "../adoption.js";
import { sqlTable } from "../sql-name.js";

const actions: readonly (readonly [ClosedAction, TableRight])[] = [
  ["create", "insert"],
  ["update", "update"],
  ["delete", "delete"],
];

/** Returns the actions for which the connected role lacks the right. */
export function closedByRights(table: FoundTable): {
  readonly closed: readonly ClosedAction[];
  readonly remarks: readonly Remark[];
} {
  const lacking = actions.filter(([, right]) => !table.rights.includes(right));
  const remarks = lacking.map(([action, right]): Remark => {
    const way = `grant ${right} on ${sqlTable(table)} to the role in database.url`;
    const why = `the connected role lacks permission to ${right}, so ${action} is disabled`;
    const taken = lacking.length === actions.length ? "read-only" : true;
    return { column: null, kind: "privilege", taken, why, way };
  });
  return { closed: lacking.map(([action]) => action), remarks };
}

/** Views are read-only. */
export const closedOfView: ReturnType<typeof closedByRights> = {
  closed: ["create", "update", "delete"],
  remarks: [],
};

/** Returns remarks on columns that a new row needs and no field writes. */
export function unwrittenColumns(
  { columns }: FoundTable,
  fields: readonly AdoptedField[],
  others: readonly number[],
): readonly Remark[] {
  const written = new Set([
    ...fields.filter(({ options }) => options.readOnly !== true).map(({ column }) => column.number),
    ...others,
  ]);
  return columns
    .filter(
      (column) =>
        !column.isNullable &&
        column.default === null &&
        column.identity === null &&
        !column.isGenerated &&
        !written.has(column.number),
    )
    .map(({ name }) => ({
      column: name,
      kind: "type",
      taken: false,
      why: "it is never null, has no default, and no field writes it: create is closed",
      way: "give the column a default, and remove create from access",
    }));
}
