import type { AccountSql } from "../../rights/account.js";
import type { Rows } from "../../rights/view.js";
import { columnOf } from "../../table/table.js";
import type { Reach } from "../reach.js";

/** The records that a link or an inverse leads to from a record. */
export interface Related {
  /** The columns that have to be equal: the record's own, and theirs. */
  readonly near: string;
  readonly far: string;
  readonly rows: Rows;
  /** Whether there may be many. */
  readonly isInverse: boolean;
}

/** The link or inverse of that name; null for any other word. */
export function relatedBy(
  { columns, links = {}, inverses = {} }: Rows,
  name: string,
  reach: Reach,
  action: "list" | "get",
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
  // A caller who may not read the link gets the same answer for its inverse as for an unknown word.
  if (far === null) return null;
  reach.enter(rows, "list");
  return { near: "id", far, rows, isInverse: true };
}

/** How the related records of a row are named; see `relatedRows`. */
interface Naming {
  readonly near: string;
  readonly as: string | null;
  readonly account: AccountSql;
  /** SQL for what is joined with them. */
  readonly joins?: string;
}

/**
 * What follows `from` for the related records of a row that `near` names; `as` names one of them. Every
 * related record that a query reaches is found here.
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
