import type { Field, Model, Resource } from "../model/model.js";
import type { ChangeOf } from "./change.js";
import { type Column, columnIn, type Schema, type Table, tableIn } from "./schema.js";

/** What has another name now; columns go by the new names of their tables. */
export interface Renames {
  readonly tables: readonly ChangeOf<"renameTable">[];
  readonly columns: readonly ChangeOf<"renameColumn">[];
}

/**
 * The renames that the model's `was` still means. One that names nothing in the schema is old news: it
 * stays in the descriptor for other databases.
 */
export function renamesOf({ resources }: Model, { tables }: Schema): Renames {
  const known = new Map(tables.map((table) => [table.resource, table]));
  const found = resources.map((resource) => {
    const table = known.get(resource.name);
    const former = resource.was === null ? undefined : known.get(resource.was);
    return { resource, former: table ?? former, isRenamed: table === undefined };
  });
  return {
    tables: found.flatMap(({ resource, former, isRenamed }) =>
      former !== undefined && isRenamed ? [renamedTable(former, resource)] : [],
    ),
    columns: found.flatMap(({ resource, former }) =>
      former === undefined ? [] : renamedColumns(former, resource),
    ),
  };
}

function renamedTable({ name: table }: Table, resource: Resource): ChangeOf<"renameTable"> {
  return { kind: "renameTable", table, to: { name: resource.table, resource: resource.name } };
}

function renamedColumns(
  { columns }: Table,
  { table, fields }: Resource,
): ChangeOf<"renameColumn">[] {
  const known = new Map(columns.map((column) => [column.field, column]));
  return fields.flatMap((field) => {
    const former = field.was === null || known.has(field.name) ? undefined : known.get(field.was);
    return former === undefined ? [] : [renamedColumn(table, former, field)];
  });
}

function renamedColumn(table: string, former: Column, field: Field): ChangeOf<"renameColumn"> {
  const to = { name: field.column, field: field.name };
  return { kind: "renameColumn", table, column: former.name, to };
}

/** The same renames, back. */
export function reversed({ tables, columns }: Renames, before: Schema): Renames {
  const formerName = new Map(tables.map(({ table, to }) => [to.name, table]));
  return {
    tables: tables.map(({ table: name, to }) => {
      const { resource } = tableIn(before, name);
      return { kind: "renameTable", table: to.name, to: { name, resource } };
    }),
    columns: columns.map(({ table, column: name, to }) => {
      const former = formerName.get(table) ?? table;
      const { field } = columnIn(tableIn(before, former), name);
      if (field === null) throw new Error(`the column ${former}.${name} is no field's`);
      return { kind: "renameColumn", table: former, column: to.name, to: { name, field } };
    }),
  };
}
