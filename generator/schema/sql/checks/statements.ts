import type { Link } from "../../../../runtime/values/schema/schema.js";
import { sqlIdentifier } from "../../../../runtime/values/sql/text.js";
import { linkTarget } from "../table.js";

/** A column and its table, as SQL. */
export interface SqlColumn {
  readonly from: string;
  /** The id column. */
  readonly id: string;
  readonly value: string;
}

/** Finds rows whose converted value does not match a target of the link; all rows with a value if `link` is null. */
export function deadLinksSql(
  { from, value, id }: SqlColumn,
  link: Link | null,
  converted: string,
): string {
  const isConverted = converted !== value;
  const linked = isConverted ? "_row._link" : `_row.${value}`;
  return [
    ...(isConverted
      ? [
          `select ${id}, ${value} from (`,
          ...namedSubquery(from, `${id}, ${value}, ${converted} as _link`),
        ]
      : [`select ${id}, ${value} from ${from} as _row`]),
    `where ${linked} is not null`,
    ...(link === null
      ? []
      : [
          "  and not exists (",
          `    select from ${linkTarget(link)} as _target`,
          `    where _target.${sqlIdentifier(link.column)} = ${comparable(link, linked)}`,
          "  )",
        ]),
  ].join("\n");
}

/** Makes storage keys comparable byte by byte, whatever the collation of the old strings. */
function comparable({ column }: Link, value: string): string {
  return column === "key" ? `${value} collate "C"` : value;
}

/** Returns the lines of a subquery after its opening parenthesis, with a name for the expression. */
export function namedSubquery(from: string, selected: string): string[] {
  return [`  select ${selected}`, `  from ${from}`, ") as _row"];
}
