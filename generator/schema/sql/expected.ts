import type { Link } from "../../kind/field.js";
import { countName, linkName, searchParts, tallyName } from "../tables/object-names.js";
import type { Count, Schema, Table } from "../tables/schema.js";
import { createIndex, createTable, searchDefinition } from "./table.js";

/** A table as a schema has it, in the form in which a database can be compared with it. */
export interface ExpectedTable {
  readonly name: string;
  /** SQL that makes it as a temporary table, with its checks and indexes. */
  readonly temporary: string;
  /** Separate, because a temporary table cannot be linked to a permanent one. */
  readonly links: readonly ExpectedLink[];
  readonly tally: ExpectedTally | null;
  readonly search: ExpectedSearch | null;
  /** The resource by whose name its changes are logged; null where they are not. */
  readonly logged: string | null;
}

interface ExpectedLink extends Link {
  readonly name: string;
  readonly from: string;
}

interface ExpectedTally {
  readonly name: string;
  /** From the tally's column to a column of the table and a value of it, null by owner. */
  readonly counts: Readonly<Record<string, readonly [string, string | null]>>;
}

interface ExpectedSearch {
  /** In the register, which knows the first of several indexes. */
  readonly name: string;
  readonly columns: readonly string[];
  readonly indexes: readonly ExpectedIndex[];
}

interface ExpectedIndex {
  readonly name: string;
  /** SQL that makes it; takes the operators of pg_trgm. */
  readonly statement: string;
}

/** What a database with that schema must have. */
export function expectedTables({ tables }: Schema): readonly ExpectedTable[] {
  return tables.map((table) => ({
    name: table.name,
    temporary: [
      createTable(table, "temporary "),
      ...table.indexes.map((index) => createIndex(table.name, index)),
    ].join("\n"),
    links: table.columns.flatMap(({ name, link }) =>
      link === null ? [] : [{ ...link, name: linkName(table.name, name), from: name }],
    ),
    tally: table.counts && { name: tallyName(table.name), counts: countsByName(table.counts) },
    search: searchOf(table),
    logged: table.logged === undefined ? null : table.resource,
  }));
}

function countsByName(counts: readonly Count[]): ExpectedTally["counts"] {
  return Object.fromEntries(
    counts.map((count) => [countName(count), [count.column, count.value]] as const),
  );
}

function searchOf({ name: table, search: columns }: Table): ExpectedSearch | null {
  if (columns.length === 0) return null;
  const parts = searchParts(table, columns);
  const indexes = parts.map(({ name, columns: own }) => ({
    name,
    statement: `create ${searchDefinition(name, table, own)};`,
  }));
  return { name: parts[0].name, columns: parts[0].columns, indexes };
}
