import { sqlIdentifier } from "../text/sql.js";
import type { Change } from "./change.js";
import { primaryKeyName } from "./object-names.js";
import type { Check, Column, ForeignKey, Index, Table } from "./schema.js";

/** A change as one SQL statement. */
export function changeSql(change: Change): string {
  switch (change.kind) {
    case "createTable":
      return createTable(change.table);
    case "addLink":
      return addLink(change.table, change.link);
    case "createIndex":
      return createIndex(change.table, change.index);
    default:
      return change satisfies never;
  }
}

function createTable({ name, columns, checks }: Table): string {
  const lines = [
    ...columns.map(columnLine),
    `constraint ${sqlIdentifier(primaryKeyName(name))} primary key (id)`,
    ...checks.map(checkLine),
  ];
  return `create table ${sqlIdentifier(name)} (\n  ${lines.join(",\n  ")}\n);`;
}

function columnLine({ name, type, required, default: value }: Column): string {
  const parts = [sqlIdentifier(name), type];
  if (required) parts.push("not null");
  if (value !== null) parts.push(`default ${value}`);
  return parts.join(" ");
}

function checkLine({ name, expression }: Check): string {
  return `constraint ${sqlIdentifier(name)} check (${expression})`;
}

function addLink(table: string, { name, column, references, onDelete }: ForeignKey): string {
  const target = `${references.schema}.${sqlIdentifier(references.table)}`;
  return [
    `alter table ${sqlIdentifier(table)}`,
    `  add constraint ${sqlIdentifier(name)} foreign key (${sqlIdentifier(column)})`,
    `  references ${target} (${sqlIdentifier(references.column)}) on delete ${onDelete};`,
  ].join("\n");
}

function createIndex(table: string, { name, unique, keys }: Index): string {
  const what = unique ? "unique index" : "index";
  return `create ${what} ${sqlIdentifier(name)} on ${sqlIdentifier(table)} (${keys.join(", ")});`;
}
