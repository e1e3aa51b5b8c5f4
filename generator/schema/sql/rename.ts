import { applyChange } from "../../../runtime/values/schema/change.js";
import type { ChangeOf } from "../../../runtime/values/schema/change-kinds.js";
import {
  checkName,
  countName,
  indexName,
  linkName,
  primaryKeyName,
  type SearchPart,
  searchName,
  searchParts,
  tallyName,
} from "../../../runtime/values/schema/object-names.js";
import {
  type Column,
  columnIn,
  type Schema,
  type Table,
  tableIn,
} from "../../../runtime/values/schema/schema.js";
import { sqlIdentifier, sqlLines, sqlLiteral } from "../../../runtime/values/sql/text.js";
import { kindNamed } from "../../kind/kinds.js";
import { followEntries } from "./kept/entries.js";
import { logChanges } from "./kept/log.js";
import { renameTrash, renameTrashColumn } from "./kept/trash.js";
import { renameWords } from "./kept/words.js";
import { alterTable, call, renameConstraint, renameIndex, renameIndexIfThere } from "./table.js";

export type Rename = ChangeOf<"renameTable"> | ChangeOf<"renameColumn">;

/** Returns the statements of a rename, including those for everything that stores the old name. */
export function renameStatements(schema: Schema, change: Rename): readonly string[] {
  const former = tableIn(schema, change.table);
  const table = tableIn(
    applyChange(schema, change),
    change.kind === "renameTable" ? change.to.name : change.table,
  );
  const entries = followEntries(former, table);
  return [...entries.before, ...renamed(schema, change, { former, table }), ...entries.after];
}

interface Renamed {
  readonly former: Table;
  readonly table: Table;
}

function renamed(schema: Schema, change: Rename, { former, table }: Renamed): readonly string[] {
  if (change.kind === "renameColumn") {
    const { column, to } = change;
    const isKept = column !== to.name && isInTrash(schema, former, [columnIn(former, column)]);
    return [
      ...renameColumn(former, table, change),
      ...(isKept ? [renameTrashColumn(table.name, column, to.name)] : []),
      ...renameWords(schema, change),
    ];
  }
  const rename = `rename to ${sqlIdentifier(table.name)}`;
  return [
    ...ifRenamed(former.name, table.name, alterTable(former.name, rename)),
    ...renameObjects(former, table),
    ...followTable(former, table),
    ...(isInTrash(schema, former, former.columns) ? renameTrash(former.name, table.name) : []),
    ...renameWords(schema, change),
    ...renameViews(former.resource, table.resource),
  ];
}

/** Whether deleted rows, or links to them, store the name of the table or of its columns. */
function isInTrash(
  { tables }: Schema,
  { trash }: Table,
  columns: readonly Pick<Column, "link" | "entries">[],
): boolean {
  if (trash !== undefined) return true;
  return columns.some(({ link, entries }) =>
    tables.some(
      ({ name, trash }) => trash !== undefined && [link?.table, entries?.table].includes(name),
    ),
  );
}

/** Renames the resource in the saved views of its list. There are few of them. */
function renameViews(former: string, resource: string): string[] {
  if (former === resource) return [];
  return [
    `update service.views set resource = ${sqlLiteral(resource)}\nwhere resource = ${sqlLiteral(former)};`,
  ];
}

function renameColumn(former: Table, table: Table, change: ChangeOf<"renameColumn">): string[] {
  const { column, to } = change;
  const rename = `rename column ${sqlIdentifier(column)} to ${sqlIdentifier(to.name)}`;
  return [
    ...ifRenamed(column, to.name, alterTable(table.name, rename)),
    ...renameObjects(former, table),
    ...(column === to.name ? [] : followColumn(former, change)),
  ];
}

/** The statement, or nothing if the name is unchanged. */
function ifRenamed(from: string, to: string, statement: string): string[] {
  return from === to ? [] : [statement];
}

/** Renames constraints and indexes; both tables have the same ones in the same order. */
function renameObjects(former: Table, table: Table): string[] {
  const constraints = constraintNames(table);
  const indexes = indexNames(table);
  return [
    ...constraintNames(former).flatMap((name, at) => {
      const to = constraints[at] ?? name;
      return ifRenamed(name, to, alterTable(table.name, renameConstraint(name, to)));
    }),
    ...indexNames(former).flatMap((name, at) => {
      const to = indexes[at] ?? name;
      return ifRenamed(name, to, renameIndex(name, to));
    }),
  ];
}

function indexNames({ name, indexes }: Table): string[] {
  return indexes.map((index) => indexName(name, index));
}

function constraintNames({ name: table, columns }: Table): string[] {
  return [
    primaryKeyName(table),
    ...columns.flatMap(({ name, check, link }) => [
      ...(check === null ? [] : [checkName(table, name, check)]),
      ...(link === null ? [] : [linkName(table, name)]),
    ]),
  ];
}

function followTable(former: Table, table: Table): string[] {
  const { name, resource, counts, search, logged } = table;
  const names = [former.name, name].map(sqlLiteral);
  return [
    ...(counts === null ? [] : [call("rename_tally", ...names, sqlLiteral(tallyName(name)))]),
    ...(search.length === 0
      ? []
      : [call("rename_search_index", ...names, sqlLiteral(searchName(name)))]),
    ...laterParts(former.name, search).map((part, at) =>
      renameIndexIfThere(part.name, laterParts(name, search)[at]?.name ?? part.name),
    ),
    ...(logged === undefined ? [] : [logChanges(table, resource)]),
    call("name_not_nulls", sqlLiteral(name)),
  ];
}

/** Returns the search indexes after the first; without pg_trgm there are none. */
function laterParts(table: string, search: readonly string[]): readonly SearchPart[] {
  return searchParts(table, search).slice(1);
}

function followColumn(
  { name: table, columns, counts, search }: Table,
  { column, to }: ChangeOf<"renameColumn">,
): string[] {
  const names = [table, column, to.name].map(sqlLiteral);
  const counted = (counts ?? []).filter((count) => count.column === column);
  // Counts by owner have the same name in all tallies.
  const renamed = counted
    .filter(({ value }) => value !== null)
    .map((count) => [countName(count), countName({ ...count, column: to.name })]);
  const isRequired = columns.some(({ name, required }) => name === column && required);
  return [
    ...(counted.length === 0
      ? []
      : [
          call(
            "rename_counts",
            ...names,
            sqlLines(JSON.stringify(Object.fromEntries(renamed), null, 2)),
          ),
        ]),
    ...(search.includes(column) ? [call("rename_searched_column", ...names)] : []),
    ...(isRequired ? [call("name_not_nulls", sqlLiteral(table))] : []),
  ];
}

/**
 * Renames the field of uploaded files, which store the field they were uploaded to. There may be many, so it is a
 * separate transaction, which does not block the table's users; null if there are none.
 */
export function renameUploads(schema: Schema, change: Rename): string | null {
  const { resource, columns } = tableIn(schema, change.table);
  if (change.kind === "renameTable") {
    return resource !== change.to.resource && columns.some(isStored)
      ? `update service.uploads set resource = ${sqlLiteral(change.to.resource)}\nwhere resource = ${sqlLiteral(resource)};`
      : null;
  }
  const { field, ...column } = columnIn(tableIn(schema, change.table), change.column);
  if (field === null || field === change.to.field || !isStored(column)) return null;
  return [
    `update service.uploads set field = ${sqlLiteral(change.to.field)}`,
    `where resource = ${sqlLiteral(resource)} and field = ${sqlLiteral(field)};`,
  ].join("\n");
}

function isStored({ kind }: Pick<Column, "kind">): boolean {
  return kind !== null && kindNamed(kind).isFile;
}
