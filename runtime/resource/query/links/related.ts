import type { AccountSql } from "../../rights/account.js";
import type { Rows } from "../../rights/view.js";
import { columnOf } from "../../table/table.js";
import type { Reach } from "../reach.js";

/** The records to which a link or an inverse leads. */
export interface Related {
  /** The columns to compare: the record's own, and that of the related records. */
  readonly near: string;
  readonly far: string;
  readonly rows: Rows;
  /** Whether there may be several. */
  readonly isInverse: boolean;
}

/** The link or inverse of that name; null if there is none. */
export function relatedBy(
  { columns, links = {}, inverses = {} }: Rows,
  name: string,
  { reach, action }: { readonly reach: Reach; readonly action: "list" | "get" },
): Related | null {
  const link = Object.hasOwn(links, name) ? links[name] : undefined;
  if (link !== undefined) {
    const near = columnOf({ columns }, link.field)?.name ?? null;
    if (near === null) return null;
    const rows = reach.see(link.table, action);
    reach.enter(rows, action);
    return { near, far: "id", rows, isInverse: false };
  }
  const inverse = Object.hasOwn(inverses, name) ? inverses[name] : undefined;
  if (inverse === undefined) return null;
  const rows = reach.see(inverse.table, "list");
  const far = columnOf(rows, inverse.field)?.name ?? null;
  // A caller who may not read the link gets the same answer for its inverse as for an unknown name.
  if (far === null) return null;
  reach.enter(rows, "list");
  return { near: "id", far, rows, isInverse: true };
}

/** The names of the related records of a row; see `relatedRows`. */
interface Naming {
  readonly near: string;
  readonly as: string | null;
  readonly account: AccountSql;
  /** SQL of the joins. */
  readonly joins?: string;
}

/**
 * The `from` clause for the related records of the row `near`, under the alias `as`. Every related record that a query
 * reaches is found here.
 */
export function relatedRows(
  { near: column, far, rows: { name, own } }: Related,
  { near, as, account, joins = "" }: Naming,
): string {
  const row = as ?? name;
  const from = `${name}${as === null ? "" : ` as ${as}`}${joins}`;
  const found = `${from} where ${row}.${far} = ${near}.${column}`;
  return own === undefined ? found : `${found} and ${own.row(row, account)}`;
}
