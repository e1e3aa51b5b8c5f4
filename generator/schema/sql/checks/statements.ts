import { withColumns } from "../../../../runtime/values/schema/expression.js";
import type { IndexExpression, Link } from "../../../../runtime/values/schema/schema.js";
import { sqlIdentifier } from "../../../../runtime/values/sql/text.js";

import { linkTarget } from "../table.js";

/** A column and its table, as SQL. */
export interface SqlColumn {
  readonly from: string;
  readonly value: string;
}

/** Finds rows whose converted value refers to nothing; without a link, every value refers to nothing. */
export function deadLinksSql(
  { from, value }: SqlColumn,
  link: Link | null,
  converted: string,
): string {
  const isConverted = converted !== value;
  const linked = isConverted ? "_row._link" : `_row.${value}`;
  return [
    ...(isConverted
      ? [
          `select id, ${value} from (`,
          ...namedSubquery(from, `id, ${value}, ${converted} as _link`),
        ]
      : [`select id, ${value} from ${from} as _row`]),
    `where ${linked} is not null`,
    ...(link === null
      ? []
      : [
          "  and not exists (",
          `    select from ${linkTarget(link)} as _target`,
          `    where _target.${link.column} = ${comparable(link, linked)}`,
          "  )",
        ]),
  ].join("\n");
}

/** Storage keys are compared byte by byte, whatever the collation of the old texts. */
function comparable({ column }: Link, value: string): string {
  return column === "key" ? `${value} collate "C"` : value;
}

/** Finds values that several rows share; nulls may repeat. `values` maps columns to their SQL. */
export function repeatedSql(from: string, values: ReadonlyMap<string, string>): string {
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

/** SQL of an expression's value by its name, from SQL of the values of its columns. */
export function computedValue(
  { name, sql }: IndexExpression,
  values: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map([[name, withColumns(sql, [...values.values()])]]);
}

/** The lines of a subquery after its opening bracket, with a name for the expression. */
function namedSubquery(from: string, selected: string): string[] {
  return [`  select ${selected}`, `  from ${from}`, ") as _row"];
}
