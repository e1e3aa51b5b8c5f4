import { createIndex, createTable, searchDefinition } from "../../values/schema/definitions.js";
import { countName, linkName, searchParts, tallyName } from "../../values/schema/object-names.js";
import { usualTimes } from "../../values/schema/record-times.js";
import { type Count, idColumnOf, type Schema, type Table } from "../../values/schema/schema.js";
import { entriesTables, entriesTriggers } from "./entries.js";
import type { ExpectedTable } from "./expected.js";
import { wordsTriggers } from "./words-triggers.js";

/** The tables that a database with this schema must have. */
export function expectedTables(schema: Schema): readonly ExpectedTable[] {
  const { tables } = schema;
  const own = tables.map((table) => expectedTable(schema, table));
  return [...own, ...tables.flatMap(entriesTables)];
}

function expectedTable(schema: Schema, table: Table): ExpectedTable {
  const beside = {
    name: table.name,
    tally: table.counts && { name: tallyName(table.name), counts: countsByName(table.counts) },
    trash: table.trash === true,
    triggers: [...wordsTriggers(schema, table), ...entriesTriggers(table)],
    logged: table.logged === undefined ? null : table.resource,
    key: keyOf(table),
  };
  if (table.adopted !== undefined) {
    const adopted = table.columns.map(({ name }) => name);
    return { ...beside, temporary: "", links: [], search: null, followed: false, adopted };
  }
  return {
    ...beside,
    temporary: [
      createTable(table, "temporary "),
      ...table.indexes.map((index) => createIndex(table.name, index)),
    ].join("\n"),
    links: table.columns.flatMap(({ name, link }) =>
      link === null ? [] : [{ ...link, name: linkName(table.name, name), from: name }],
    ),
    search: searchOf(table),
    // The same condition as in `service.follow_changes`.
    followed: table.columns.some(({ name }) => name === usualTimes.updatedAt),
  };
}

function keyOf(table: Table): string | null {
  const { id, name } = idColumnOf(table);
  return id === undefined ? null : name;
}

function countsByName(counts: readonly Count[]) {
  return Object.fromEntries(
    counts.map((count) => [countName(count), [count.column, count.value]] as const),
  );
}

function searchOf({ name: table, search: columns }: Table): ExpectedTable["search"] {
  if (columns.length === 0) return null;
  const parts = searchParts(table, columns);
  const indexes = parts.map(({ name, columns: own }) => ({
    name,
    statement: `create ${searchDefinition({ name, table, columns: own })};`,
  }));
  return { name: parts[0].name, columns: parts[0].columns, indexes };
}
