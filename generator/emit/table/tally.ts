import { tallyName } from "../../../runtime/values/schema/object-names.js";
import { sqlTable } from "../../../runtime/values/sql/table-name.js";
import { sqlIdentifier } from "../../../runtime/values/sql/text.js";
import type { Resource } from "../../model/model.js";

/** Returns the source of totals: the table's tally, or else all its rows. */
export function tallySql({ table, isCounted }: Pick<Resource, "table" | "isCounted">): string {
  return isCounted
    ? `service.${sqlIdentifier(tallyName(table))}`
    : `(select 1 as total from ${sqlTable(table)}) as _tally`;
}
