import type { Change, ChangeOf } from "../../../../runtime/values/schema/change-kinds.js";
import { namesOn } from "../../../../runtime/values/schema/object-names.js";
import { columnIn, type Schema, tableIn } from "../../../../runtime/values/schema/schema.js";
import { sqlIdentifier, sqlLiteral } from "../../../../runtime/values/sql/text.js";
import { isList } from "../../changes/lists.js";
import type { Origins } from "../../changes/origins.js";
import { idSql, textArray } from "../table.js";
import { type CheckStep, check, formerColumn } from "./former-column.js";

/** Counts rows and values that would be lost. A column that contains only its default counts as empty. */
export function lossChecks(schema: Schema, change: Change, origins: Origins): readonly CheckStep[] {
  if (change.kind === "dropTable") {
    const former = origins.formerTable(change.table);
    if (former === null) return [];
    const rows = `select ${idSql(former)} from ${sqlIdentifier(former.name)}`;
    return [check(`rows of ${former.name} would be lost`, rows)];
  }
  if (change.kind === "replaceColumn") return shortenedChecks(schema, change, origins);
  if (change.kind !== "dropColumn") return [];
  const stored = formerColumn(change, origins);
  if (stored === null) return [];
  const { from, value, rows, id } = stored;
  const { default: defaultValue } = columnIn(tableIn(schema, change.table), change.column);
  const unlike = defaultValue === null ? "" : ` and ${value} is distinct from ${defaultValue}`;
  return [
    check(
      `${rows} hold a "${change.column}" that would be lost`,
      `select ${id}, ${value} from ${from} where ${value} is not null${unlike}`,
    ),
  ];
}

/** Counts lists with several elements that become single values, which keep only the first. */
function shortenedChecks(
  schema: Schema,
  { table, column }: ChangeOf<"replaceColumn">,
  origins: Origins,
): readonly CheckStep[] {
  const former = columnIn(tableIn(schema, table), column.name);
  const stored = formerColumn({ table, column: column.name }, origins);
  if (stored === null || !isList(former) || isList(column)) return [];
  const { from, value, rows } = stored;
  return [
    check(
      `${rows} hold several elements in "${column.name}", of which only the first would be kept`,
      `select ${stored.id}, ${value} from ${from} where cardinality(${value}) > 1`,
    ),
  ];
}

/** Counts objects created manually on a column, which would be dropped with it or make the last step fail. */
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
