import type { Queries, Table } from "../../resource/index.js";
import { didYouMean } from "../../values/nearest.js";
import {
  columnsOf,
  type StoredRelation,
  type StoredResource,
  storedTables,
} from "../app/tables.js";
import { CommandRefused } from "../exit.js";

/**
 * Returns the table of a resource as of the app's last generation, for reading: an export does not need the built app.
 *
 * @throws {CommandRefused} if there is no such resource, or the app was never generated.
 */
export function tableToRead(root: string, name: string): Table<never> {
  const { resources } = storedTables(root);
  const table = tablesOf(resources).get(name);
  if (table !== undefined) return table;
  if (name === "users") throw new CommandRefused("Accounts cannot be exported");
  const names = resources.map((resource) => resource.name);
  const hint = didYouMean(name, names) ?? `the resources are: ${names.join(", ")}`;
  throw new CommandRefused(`There is no resource ${JSON.stringify(name)}`, hint);
}

function tablesOf(resources: readonly StoredResource[]): ReadonlyMap<string, Table<never>> {
  const tables = new Map<string, Table<never>>();
  for (const resource of resources) tables.set(resource.name, tableOf(resource, tables));
  return tables;
}

function tableOf(stored: StoredResource, tables: ReadonlyMap<string, Table<never>>): Table<never> {
  const { name, table, tally, links, inverses } = stored;
  const related = ({ field, resource }: StoredRelation) => ({
    field,
    table: () => {
      const other = tables.get(resource);
      if (other === undefined)
        throw new Error(`${name} leads to ${resource}, which is not a resource`);
      return other;
    },
  });
  const linked = Object.entries(links).map(([key, link]) => {
    // Accounts have no table of a resource.
    const other = link.resource === "users" ? { field: link.field } : related(link);
    return [key, other] as const;
  });
  return {
    resource: name,
    singular: name,
    name: table,
    queries: unwritten,
    tally,
    access: closed,
    columns: columnsOf(stored),
    links: Object.fromEntries(linked),
    inverses: Object.fromEntries(
      Object.entries(inverses).map(([key, inverse]) => [key, related(inverse)]),
    ),
    dependants: [],
  };
}

/** Access rules apply to callers. An export has no caller, and reads every record. */
const closed: Table<never>["access"] = {
  list: "nobody",
  get: "nobody",
  stats: "nobody",
  create: "nobody",
  update: "nobody",
  delete: "nobody",
};

function refuse(): never {
  throw new Error("A table that is only read has no write statements");
}

const unwritten: Queries = { get: refuse, insert: refuse, replace: refuse, delete: refuse };
