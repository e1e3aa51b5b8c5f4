import type { AccountDeletion } from "../../app/index.js";
import type { AdoptedTable, Column } from "../../resource/index.js";
import { usualId } from "../../values/schema/id-types.js";
import { type TimeName, usualTimes } from "../../values/schema/record-times.js";
import { unquotedTable, withSchema } from "../../values/sql/table-name.js";
import { CommandRefused } from "../exit.js";
import { readGenerated } from "./generated.js";

/**
 * Where records are stored, from `generated/tables.json`. Names of tables and columns are SQL identifiers, quoted if
 * necessary.
 */
export interface StoredTables {
  /** The resources, sorted by name. */
  readonly resources: readonly StoredResource[];
  /** Omitted if no records must belong to accounts. */
  readonly accounts?: AccountDeletion;
}

export interface StoredResource {
  readonly name: string;
  /** The path of the descriptor. */
  readonly source: string;
  readonly table: string;
  readonly tally: string;
  /** Set if the table existed before the app. */
  readonly adopted?: true;
  /** Omitted for UUIDs in a column `id`. */
  readonly id?: Column;
  /** The column of each field, in the descriptor's order. */
  readonly columns: Readonly<Record<string, Column>>;
  /** Omitted if the columns have their usual names. */
  readonly times?: Readonly<Record<TimeName, Column>>;
  /** Fields by which lists cannot be sorted, or are sorted in an order that no index has. */
  readonly unordered: readonly string[];
  readonly links: Readonly<Record<string, StoredRelation>>;
  readonly inverses: Readonly<Record<string, StoredRelation>>;
}

/** A link of the resource, or a link of another resource to it. */
export interface StoredRelation {
  readonly field: string;
  readonly resource: string;
}

/**
 * Returns the storage of the app's records as of its last generation.
 *
 * @throws {CommandRefused} if the app was never generated.
 */
export function storedTables(root: string): StoredTables {
  const stored = readGenerated<StoredTables>(root, "tables.json");
  if (stored !== null) return stored;
  throw new CommandRefused("There is no generated/tables.json", "run: npx service generate");
}

/** Returns the resources by table, such as `public.order_items`; empty until the app is generated. */
export function resourceNames(root: string): ReadonlyMap<string, string> {
  const stored = readGenerated<StoredTables>(root, "tables.json");
  return new Map(
    stored?.resources.map(({ name, table }) => [unquotedTable(withSchema(table)), name] as const),
  );
}

/**
 * Returns the tables of other programs that contain the links of lists, such as `public.film_actor`; empty until the
 * app is generated.
 */
export function joinTables(root: string): readonly string[] {
  const stored = readGenerated<StoredTables>(root, "tables.json");
  const columns = (stored?.resources ?? []).flatMap((one) => Object.values(one.columns));
  const names = columns.flatMap(({ through, entries }) =>
    through === true && entries !== undefined ? [unquotedTable(withSchema(entries.table))] : [],
  );
  return [...new Set(names)];
}

/** Returns the tables that existed before the app; empty until it is generated. */
export function adoptedTables(root: string): readonly AdoptedTable[] {
  const stored = readGenerated<StoredTables>(root, "tables.json");
  return (stored?.resources ?? []).flatMap((resource) => {
    const { name, table, adopted } = resource;
    return adopted === undefined
      ? []
      : [{ adopted, resource: name, name: table, columns: columnsOf(resource) }];
  });
}

const usualColumns = {
  id: { name: usualId.column, kind: "id", required: true },
  createdAt: { name: usualTimes.createdAt, kind: "timestamp", required: true },
  updatedAt: { name: usualTimes.updatedAt, kind: "timestamp", required: true },
} as const;

/** Returns the columns that every table has, and those of the fields. */
export function columnsOf({ id, columns, times }: StoredResource) {
  return {
    id: id ?? usualColumns.id,
    ...columns,
    createdAt: times?.createdAt ?? usualColumns.createdAt,
    updatedAt: times?.updatedAt ?? usualColumns.updatedAt,
  } as const;
}
