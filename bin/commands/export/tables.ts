import { findDescriptors } from "../../../generator/descriptor/find.js";
import { readDescriptors } from "../../../generator/descriptor/read.js";
import { type Field, kindOf } from "../../../generator/kind/kinds.js";
import type { Model, Resource } from "../../../generator/model/model.js";
import { resolveModel } from "../../../generator/resolve/resolve.js";
import { tallyName } from "../../../generator/schema/tables/object-names.js";
import { sqlIdentifier } from "../../../generator/text/sql.js";
import type { Column, Queries, Table } from "../../../runtime/resource/index.js";
import { didYouMean } from "../../../runtime/values/nearest.js";
import { CommandRefused } from "../../exit.js";

/**
 * The table of a resource as its descriptor says, for reading: an export needs no built app.
 *
 * @throws {CommandRefused} where there is no such resource, or the descriptors have problems.
 */
export function tableToRead(root: string, name: string): Table<never> {
  const { model } = resolveModel(readDescriptors(findDescriptors(root)), null, () => true);
  if (model === null) {
    throw new CommandRefused("The descriptors have problems", "run: npx service generate --check");
  }
  const table = tablesOf(model).get(name);
  if (table !== undefined) return table;
  if (name === "users") throw new CommandRefused("Accounts cannot be exported");
  const names = model.resources.map((resource) => resource.name);
  const hint = didYouMean(name, names) ?? `the resources are: ${names.join(", ")}`;
  throw new CommandRefused(`There is no resource ${JSON.stringify(name)}`, hint);
}

function tablesOf({ resources }: Model): ReadonlyMap<string, Table<never>> {
  const tables = new Map<string, Table<never>>();
  for (const resource of resources) tables.set(resource.name, tableOf(resource, tables));
  return tables;
}

function tableOf(
  { name, singular, table, fields, access, links, inverses }: Resource,
  tables: ReadonlyMap<string, Table<never>>,
): Table<never> {
  const related = ({ field, resource }: { field: string; resource: string }) => ({
    field,
    table: () => {
      const other = tables.get(resource);
      if (other === undefined)
        throw new Error(`${name} leads to ${resource}, which is no resource`);
      return other;
    },
  });
  const linked = links.map((link) => {
    // Accounts have no table.
    const other = link.resource === "users" ? { field: link.field } : related(link);
    return [link.name, other] as const;
  });
  return {
    resource: name,
    singular,
    name: sqlIdentifier(table),
    queries: unwritten,
    tally: `service.${sqlIdentifier(tallyName(table))}`,
    access,
    columns: {
      id: { name: "id", kind: "id", required: true },
      ...Object.fromEntries(fields.map((field) => [field.name, columnOf(field)])),
      createdAt: { name: "created_at", kind: "timestamp", required: true },
      updatedAt: { name: "updated_at", kind: "timestamp", required: true },
    },
    links: Object.fromEntries(linked),
    inverses: Object.fromEntries(inverses.map((inverse) => [inverse.name, related(inverse)])),
    dependants: [],
  };
}

function columnOf(field: Field): Column {
  const { kind = field.kind, ...more } = kindOf(field).runtimeColumn(field);
  const { column, required } = field;
  // The emitted `table.ts` has the same.
  return { name: sqlIdentifier(column), kind, required, ...more } as Column;
}

function refuse(): never {
  throw new Error("A table that is only read has no statements");
}

const unwritten: Queries = { get: refuse, insert: refuse, replace: refuse, delete: refuse };
