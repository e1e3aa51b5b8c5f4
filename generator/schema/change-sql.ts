import { sqlIdentifier, sqlLiteral } from "../text/sql.js";
import type { Change } from "./change.js";
import { primaryKeyName } from "./object-names.js";
import type { Check, Column, ForeignKey, Index, SearchIndex, Table, Tally } from "./schema.js";

/** A change as one SQL statement. */
export function changeSql(change: Change): string {
  switch (change.kind) {
    case "createTable":
      return createTable(change.table);
    case "addLink":
      return addLink(change.table, change.link);
    case "createIndex":
      return createIndex(change.table, change.index);
    case "createTally":
      return createTally(change.table, change.tally);
    case "createSearch":
      return createSearch(change.table, change.search);
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

/** The procedure is the runtime's, as are the triggers that it makes. */
function createTally(table: string, { name, counts }: Tally): string {
  const lines = counts.map((count) => {
    const [key, column, value] = [count.name, count.column, count.value].map((text) =>
      JSON.stringify(text),
    );
    return `  ${key}: [${column}, ${value}]`;
  });
  const json = lines.length === 0 ? "{}" : `{\n${lines.join(",\n")}\n}`;
  const names = [table, name].map(sqlLiteral).join(", ");
  return `call service.create_tally(${names}, ${sqlLiteral(json)});`;
}

/** The procedure is the runtime's: it passes over a database without the extension that it takes. */
function createSearch(table: string, { name, columns }: SearchIndex): string {
  const searched = `array[${columns.map(sqlLiteral).join(", ")}]`;
  const names = [table, name].map(sqlLiteral).join(", ");
  return `call service.create_search_index(${names}, ${searched});`;
}
