import type { Link } from "../../kind/field.js";
import { sqlIdentifier } from "../../text/sql.js";

import { linkTarget } from "./table.js";

/** A column of rows that are there, both as SQL. */
export interface SqlColumn {
  readonly from: string;
  readonly value: string;
}

/** Rows whose value leads to nothing; each does where there is no link yet. The value is taken as it is converted. */
export function deadLinkQuery(
  { from, value }: SqlColumn,
  link: Link | null,
  converted: string,
): string {
  const isConverted = converted !== value;
  const linked = isConverted ? "_row._link" : `_row.${value}`;
  return [
    ...(isConverted
      ? [`select id, ${value} from (`, ...derived(from, `id, ${value}, ${converted} as _link`)]
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

/** Storage keys are compared byte by byte, whatever the collation of the texts that are to become some. */
function comparable({ column }: Link, value: string): string {
  return column === "key" ? `${value} collate "C"` : value;
}

/** Values that several rows hold together; empty ones may repeat. From the columns' names to their SQL. */
export function repeatedQuery(from: string, values: ReadonlyMap<string, string>): string {
  const named = [...values].map(([name, value]) => [sqlIdentifier(name), value] as const);
  const names = named.map(([name]) => name);
  const selected = named.map(([name, value]) => (value === name ? name : `${value} as ${name}`));
  const isAsItIs = named.every(([name, value]) => value === name);
  return [
    ...(isAsItIs
      ? [`select ${names.join(", ")}, count(*) from ${from}`]
      : [`select ${names.join(", ")}, count(*) from (`, ...derived(from, selected.join(", "))]),
    `where ${names.map((name) => `${name} is not null`).join(" and ")}`,
    `group by ${names.join(", ")} having count(*) > 1`,
  ].join("\n");
}

/** What follows an opening bracket, so that an expression is written once and used by a name. */
function derived(from: string, selected: string): string[] {
  return [`  select ${selected}`, `  from ${from}`, ") as _row"];
}
