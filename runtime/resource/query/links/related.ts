import type { AccountSql } from "../../rights/account.js";
import type { Rows } from "../../rights/view.js";
import { entryColumns, idColumn } from "../../table/column-keys.js";
import { columnOf } from "../../table/table.js";
import type { Reach } from "../reach.js";

/** The records to which a link or an inverse leads. */
export interface Related {
  /** The columns to compare: that of the record itself, and that of the related records. */
  readonly near: string;
  readonly far: string;
  readonly rows: Rows;
  /** Whether there may be several related records. */
  readonly isInverse: boolean;
  /** For a list of links, or its inverse, the entries between the two tables; omitted for a link. */
  readonly through?: Through;
}

/** The table of entries, and its columns with the ids of the two records. */
interface Through {
  readonly table: string;
  readonly near: string;
  readonly far: string;
  /** The column by which the list of a record is sorted. */
  readonly position: string;
  /** Whether the records are those of a list; false for its inverse. */
  readonly isList: boolean;
}

/** The link or inverse with this name; null if there is none. */
export function relatedBy(
  { columns, links = {}, inverses = {} }: Rows,
  name: string,
  { reach, action }: { readonly reach: Reach; readonly action: "list" | "get" },
): Related | null {
  const link = Object.hasOwn(links, name) ? links[name] : undefined;
  if (link !== undefined) {
    const column = columnOf({ columns }, link.field);
    if (column?.entries !== undefined) {
      // Accounts in a list are shown like the account of a link.
      const by = link.table === undefined ? action : "list";
      const rows = reach.see(link.table, by);
      reach.enter(rows, by);
      const { record, target, position } = entryColumns(column.entries);
      const through = {
        table: column.entries.table,
        near: record,
        far: target,
        position,
        isList: true,
      };
      return { near: idColumn({ columns }), far: idColumn(rows), rows, isInverse: true, through };
    }
    const near = column?.name ?? null;
    if (near === null) return null;
    const rows = reach.see(link.table, action);
    reach.enter(rows, action);
    return { near, far: idColumn(rows), rows, isInverse: false };
  }
  const inverse = Object.hasOwn(inverses, name) ? inverses[name] : undefined;
  if (inverse === undefined) return null;
  const rows = reach.see(inverse.table, "list");
  const column = columnOf(rows, inverse.field);
  // A caller who may not read the link gets the same response for its inverse as for an unknown name.
  if (column === null) return null;
  reach.enter(rows, "list");
  const { name: far, entries } = column;
  const near = idColumn({ columns });
  if (entries === undefined) return { near, far, rows, isInverse: true };
  const { record, target, position } = entryColumns(entries);
  const through = { table: entries.table, near: target, far: record, position, isList: false };
  return { near, far: idColumn(rows), rows, isInverse: true, through };
}

/** The entries as a part of `from`, with column names that no field has. */
function entriesOf({ table, near, far, position }: Through): string {
  return `(select ${near} as _near, ${far} as _far, ${position} as _position from ${table}) as ${entry}`;
}

/** The name of the entries of the innermost related records. */
const entry = "_entries";

/** SQL after `order by` for the records of a list in the list's order. */
export const listOrder = `${entry}._position, ${entry}._far`;

/** The names of the related records of a row; see `relatedRows`. */
interface Naming {
  readonly near: string;
  readonly as: string | null;
  readonly account: AccountSql;
  readonly joins?: string;
}

/**
 * The `from` clause for the related records of the row `near`, under the alias `as`. Queries reach related records only
 * through this function.
 */
export function relatedRows(
  { near: column, far, rows: { name, own }, through }: Related,
  { near, as, account, joins = "" }: Naming,
): string {
  const row = as ?? name;
  const from = `${name}${as === null ? "" : ` as ${as}`}${joins}`;
  const found =
    through === undefined
      ? `${from} where ${row}.${far} = ${near}.${column}`
      : `${from}, ${entriesOf(through)} where ${row}.${far} = ${entry}._far and ${entry}._near = ${near}.${column}`;
  return own === undefined ? found : `${found} and ${own.row(row, account)}`;
}
