import { sqlIdentifier, sqlLiteral } from "../../text/sql.js";
import type { Change } from "../changes/change.js";
import type { Origins } from "../changes/origins.js";
import { namesOn } from "../tables/object-names.js";
import { columnIn, type Schema, tableIn } from "../tables/schema.js";
import { type CheckStep, check, placeOf } from "./check-place.js";
import { textArray } from "./table.js";

/** Rows and values that would be lost; a column that holds but its default was never written to. */
export function ofLoss(schema: Schema, change: Change, origins: Origins): readonly CheckStep[] {
  if (change.kind === "dropTable") {
    const former = origins.table(change.table);
    if (former === null) return [];
    return [check(`rows of ${former} would be lost`, `select id from ${sqlIdentifier(former)}`)];
  }
  if (change.kind !== "dropColumn") return [];
  const place = placeOf(change, origins);
  if (place === null) return [];
  const { from, value, words } = place;
  const { default: usual } = columnIn(tableIn(schema, change.table), change.column);
  const unlike = usual === null ? "" : ` and ${value} is distinct from ${usual}`;
  return [
    check(
      `${words} hold a "${change.column}" that would be lost`,
      `select id, ${value} from ${from} where ${value} is not null${unlike}`,
    ),
  ];
}

/** What somebody made by hand on a column: it would go with it, or keep it from going in the last step. */
export function ofDependants(table: string, name: string, origins: Origins): readonly CheckStep[] {
  const former = origins.formerTable(table);
  const column = origins.column(table, name);
  if (former === null || column === null) return [];
  const place = [former.name, column].map(sqlLiteral).join(", ");
  return [
    check(
      `objects that the migration does not know depend on ${former.name}.${column}, and would be dropped with it`,
      `select object from service.objects_on(${place}, ${textArray(namesOn(former, column))})`,
    ),
  ];
}
