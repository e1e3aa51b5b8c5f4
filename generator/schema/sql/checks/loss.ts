import type { Change } from "../../../../runtime/values/schema/change-kinds.js";
import { namesOn } from "../../../../runtime/values/schema/object-names.js";
import { columnIn, type Schema, tableIn } from "../../../../runtime/values/schema/schema.js";
import { sqlIdentifier, sqlLiteral } from "../../../../runtime/values/sql/text.js";
import type { Origins } from "../../changes/origins.js";
import { textArray } from "../table.js";
import { type CheckStep, check, formerColumn } from "./former-column.js";

/** Rows and values that would be lost; a column that contains only its default was never written to. */
export function lossChecks(schema: Schema, change: Change, origins: Origins): readonly CheckStep[] {
  if (change.kind === "dropTable") {
    const former = origins.table(change.table);
    if (former === null) return [];
    return [check(`rows of ${former} would be lost`, `select id from ${sqlIdentifier(former)}`)];
  }
  if (change.kind !== "dropColumn") return [];
  const stored = formerColumn(change, origins);
  if (stored === null) return [];
  const { from, value, rows } = stored;
  const { default: defaultValue } = columnIn(tableIn(schema, change.table), change.column);
  const unlike = defaultValue === null ? "" : ` and ${value} is distinct from ${defaultValue}`;
  return [
    check(
      `${rows} hold a "${change.column}" that would be lost`,
      `select id, ${value} from ${from} where ${value} is not null${unlike}`,
    ),
  ];
}

/** Counts objects created manually on a column, which would be dropped with it or fail the last step. */
export function dependantChecks(
  table: string,
  name: string,
  origins: Origins,
): readonly CheckStep[] {
  const former = origins.formerTable(table);
  const column = origins.column(table, name);
  if (former === null || column === null) return [];
  const names = [former.name, column].map(sqlLiteral).join(", ");
  return [
    check(
      `objects that the migration does not know depend on ${former.name}.${column}, and would be dropped with it`,
      `select object from service.objects_on(${names}, ${textArray(namesOn(former, column))})`,
    ),
  ];
}
