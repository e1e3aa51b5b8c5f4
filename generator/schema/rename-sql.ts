import { sqlIdentifier, sqlLines, sqlLiteral } from "../text/sql.js";
import { applyChange, type ChangeOf } from "./change.js";
import {
  checkName,
  countName,
  indexName,
  linkName,
  primaryKeyName,
  searchName,
  tallyName,
} from "./object-names.js";
import { type Column, columnIn, type Schema, type Table, tableIn } from "./schema.js";
import { call } from "./table-sql.js";

export type Rename = ChangeOf<"renameTable"> | ChangeOf<"renameColumn">;

/** Everything that bears the name has the new one afterwards; the statements are one transaction. */
export function renameStatements(schema: Schema, change: Rename): readonly string[] {
  const former = tableIn(schema, change.table);
  const table = tableIn(
    applyChange(schema, change),
    change.kind === "renameTable" ? change.to.name : change.table,
  );
  return change.kind === "renameTable"
    ? [
        ...renameOne("table", `${sqlIdentifier(former.name)} rename`, former.name, table.name),
        ...renameObjects(former, table),
        ...followTable(former, table),
      ]
    : renameColumn(former, table, change);
}

function renameColumn(former: Table, table: Table, change: ChangeOf<"renameColumn">): string[] {
  const { column, to } = change;
  const way = `${sqlIdentifier(table.name)} rename column`;
  return [
    ...renameOne("table", way, column, to.name),
    ...renameObjects(former, table),
    ...(column === to.name ? [] : followColumn(former, change)),
  ];
}

/** `alter table goods rename to products;`, and nothing where the name stays. */
function renameOne(what: "table" | "index", way: string, from: string, to: string): string[] {
  if (from === to) return [];
  const former = way.endsWith("rename") ? "" : ` ${sqlIdentifier(from)}`;
  return [`alter ${what} ${way}${former} to ${sqlIdentifier(to)};`];
}

/** Constraints and indexes; both tables have the same, in the same order. */
function renameObjects(former: Table, table: Table): string[] {
  const constraints = constraintNames(table);
  const indexes = table.indexes.map((index) => indexName(table.name, index));
  const way = `${sqlIdentifier(table.name)} rename constraint`;
  return [
    ...constraintNames(former).flatMap((name, at) =>
      renameOne("table", way, name, constraints[at] ?? name),
    ),
    ...former.indexes.flatMap((index, at) => {
      const name = indexName(former.name, index);
      return renameOne("index", `${sqlIdentifier(name)} rename`, name, indexes[at] ?? name);
    }),
  ];
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

function followTable(former: Table, { name, counts, search }: Table): string[] {
  const names = [former.name, name].map(sqlLiteral);
  return [
    ...(counts === null ? [] : [call("rename_tally", ...names, sqlLiteral(tallyName(name)))]),
    ...(search.length === 0
      ? []
      : [call("rename_search_index", ...names, sqlLiteral(searchName(name)))]),
    call("name_not_nulls", sqlLiteral(name)),
  ];
}

function followColumn(
  { name: table, columns, counts, search }: Table,
  { column, to }: ChangeOf<"renameColumn">,
): string[] {
  const names = [table, column, to.name].map(sqlLiteral);
  const counted = (counts ?? []).filter((count) => count.column === column);
  const renamed = counted.map((count) => [
    countName(count),
    countName({ ...count, column: to.name }),
  ]);
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
 * Files belong to the field that they were uploaded to. They may be many, so that this is a transaction
 * of its own, which holds up nobody who uses the table; null where there are none.
 */
export function renameUploads(schema: Schema, change: Rename): string | null {
  const { resource, columns } = tableIn(schema, change.table);
  if (change.kind === "renameTable") {
    return columns.some(isStored)
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
  return kind === "image" || kind === "file";
}
