import { withColumns } from "../../../../runtime/values/schema/expression.js";
import {
  type Index,
  type IndexExpression,
  isFolded,
} from "../../../../runtime/values/schema/schema.js";
import { sqlIdentifier } from "../../../../runtime/values/sql/text.js";
import { type CheckStep, check } from "./former-column.js";
import { namedSubquery } from "./statements.js";

/** Checks that no two rows have the same values in a unique index; `values` maps its columns to SQL. */
export function heldBySeveral(
  table: string,
  { keys, expression }: Index,
  values: ReadonlyMap<string, string>,
): CheckStep {
  const held = expression === undefined ? values : computedValue(expression, values);
  const about = `values of ${table} (${[...held.keys()].join(", ")}) are held by several rows`;
  const from = sqlIdentifier(table);
  return keys.some(isFolded)
    ? check(`${about} if case is ignored, but must be unique`, alikeSql(from, held))
    : check(`${about}, but must be unique`, repeatedSql(from, held));
}

/** Finds values that several rows share; nulls may repeat. `values` maps columns to SQL. */
function repeatedSql(from: string, values: ReadonlyMap<string, string>): string {
  const named = [...values].map(([name, value]) => [sqlIdentifier(name), value] as const);
  const names = named.map(([name]) => name);
  const selected = named.map(([name, value]) => (value === name ? name : `${value} as ${name}`));
  const isAsItIs = named.every(([name, value]) => value === name);
  return [
    ...(isAsItIs
      ? [`select ${names.join(", ")}, count(*) from ${from}`]
      : [
          `select ${names.join(", ")}, count(*) from (`,
          ...namedSubquery(from, selected.join(", ")),
        ]),
    `where ${names.map((name) => `${name} is not null`).join(" and ")}`,
    `group by ${names.join(", ")} having count(*) > 1`,
  ].join("\n");
}

/** Finds strings that differ only in case; `migrate` reports the first groups, which are in `alike`. */
function alikeSql(from: string, values: ReadonlyMap<string, string>): string {
  const [value = ""] = values.values();
  return [
    "select string_agg(distinct value, ', ') as alike, count(*)",
    `from (select ${value} as value from ${from}) as _row`,
    "where value is not null",
    "group by service.fold_case(value) having count(*) > 1",
    "order by min(value)",
  ].join("\n");
}

/** Returns SQL of the value of a named expression, given SQL of its columns' values. */
function computedValue(
  { name, sql }: IndexExpression,
  values: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map([[name, withColumns(sql, [...values.values()])]]);
}
