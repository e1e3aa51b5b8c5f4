import type { Change } from "../../../runtime/values/schema/change-kinds.js";
import type { Column, Index, Link } from "../../../runtime/values/schema/schema.js";
import { spelledTable } from "../../../runtime/values/sql/table-name.js";
import type { FoundTable } from "../catalogue/catalogue.js";

/** Whether a table has the column, unique index or foreign key that a change adds. */
export function hasPart(table: FoundTable, change: Change): boolean {
  switch (change.kind) {
    case "addColumn":
      return hasColumn(table, change.column) && hasLink(table, change.column);
    case "replaceColumn":
      return change.from.link !== null || hasLink(table, change.column);
    case "setLink":
      return hasLink(table, { name: change.column, link: change.to });
    case "createIndex":
      return !change.index.unique || hasUnique(table, change.index);
    default:
      return true;
  }
}

function hasColumn({ columns }: FoundTable, { name }: Column): boolean {
  return columns.some((column) => column.name === name);
}

function hasLink(
  { columns, constraints }: FoundTable,
  { name, link }: { readonly name: string; readonly link: Link | null },
): boolean {
  // The migration itself adds the account column.
  if (link === null || link.schema === "service") return true;
  const own = columns.find((column) => column.name === name);
  return constraints.some(
    ({ columns: [first, ...others], target }) =>
      first === own?.number &&
      others.length === 0 &&
      target !== null &&
      spelledTable({ schema: target.schema, name: target.table }) === link.table,
  );
}

function hasUnique({ columns, indexes }: FoundTable, { keys }: Index): boolean {
  const wanted = keys.map(({ column }) => columns.find(({ name }) => name === column)?.number);
  return indexes.some(
    ({ isUnique, isPartial, columns: numbers }) =>
      isUnique &&
      !isPartial &&
      numbers.length === wanted.length &&
      wanted.every((number) => number !== undefined && numbers.includes(number)),
  );
}
