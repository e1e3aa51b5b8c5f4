import {
  type Dependants,
  type Inverse,
  type LinkName,
  type Model,
  type Resource,
  severalOf,
} from "../../model/model.js";
import { trashPath } from "../../schema/tables/trash-path.js";
import type { Import } from "../../text/imports.js";
import type { Layout } from "../../text/layout.js";
import {
  array,
  object,
  property,
  stringLiteral,
  tallArray,
  tallObject,
} from "../../text/typescript.js";
import { parentIn } from "../deletion.js";

/** A table's properties about related tables, and the imports for them. */
export interface RelatedTables {
  readonly imports: readonly Import[];
  /** `links`, `inverses` and `cascades`; empty ones are omitted. */
  readonly properties: readonly Layout[];
  /** The name that the file uses for each resource's table. */
  readonly names: ReadonlyMap<string, string>;
}

export function relatedTables(resource: Resource, model: Model): RelatedTables {
  const { resources } = model;
  const { cascades } = resource.deletion;
  const used = new Set(
    [...resource.links, ...severalOf(resource), ...cascades].map((other) => other.resource),
  );
  for (const { name } of trashPath(resource, model)) used.add(name);
  if (resource.team !== null && resource.team.founder !== null) used.add(resource.team.through);
  const others = resources.filter(({ name }) => name !== resource.name && used.has(name));
  const names = localNames(resource, others);
  const { links, lists, inverses } = resource;
  const group = (key: string, all: readonly (LinkName | Inverse)[]): Layout[] => {
    const related = all.map(({ name, field, resource: other }) =>
      property(name, relatedTable(field, names.get(other))),
    );
    return related.length === 0 ? [] : [property(key, tallObject(related))];
  };
  return {
    names,
    imports: others.map(({ name, collection }) => {
      const local = names.get(name) ?? collection;
      const imported = local === collection ? collection : `${collection} as ${local}`;
      return { from: `../${name}/table.js`, names: [imported] };
    }),
    properties: [
      ...group("links", [...links, ...lists]),
      ...group("inverses", inverses),
      ...cascadesProperty(cascades, names),
    ],
  };
}

function cascadesProperty(
  cascades: readonly Dependants[],
  names: ReadonlyMap<string, string>,
): readonly Layout[] {
  if (cascades.length === 0) return [];
  const each = cascades.map(({ resource, table }) =>
    object([
      property("table", `() => ${names.get(resource)}`),
      property("ids", stringLiteral(parentIn(table))),
    ]),
  );
  return [property("cascades", each.length > 1 ? tallArray(each) : array(each))];
}

/**
 * Returns a function that returns the related table, as tables may refer to each other in a cycle. Accounts have no
 * table here.
 */
function relatedTable(field: string, table: string | undefined): Layout {
  const own = property("field", stringLiteral(field));
  return object(table === undefined ? [own] : [own, property("table", `() => ${table}`)]);
}

/**
 * Returns the local names of the resources' tables in the file, where a resource may have the same name as an import.
 */
function localNames(own: Resource, others: readonly Resource[]): ReadonlyMap<string, string> {
  const taken = new Set(["Table", "Values", `${own.variable}Queries`]);
  const names = new Map<string, string>();
  for (const { name, collection } of [own, ...others]) {
    const local = freeName(collection, taken);
    taken.add(local);
    names.set(name, local);
  }
  return names;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  return taken.has(name) ? freeName(`${name}Table`, taken) : name;
}
