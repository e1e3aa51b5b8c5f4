import { entriesName } from "../../runtime/values/schema/object-names.js";
import { isFile, kindOf } from "../kind/kinds.js";
import { accountsTable, type Dependants, type Model, type Resource } from "../model/model.js";

/** A resource before the effects of deletions have been determined. */
export type UndecidedResource = Omit<Resource, "deletion">;

/** Determines how deleting records of each resource, or accounts, affects the other resources. */
export function withDeletions(resources: readonly UndecidedResource[]): Model {
  const links = resources.flatMap((one) => [...requiredLinks(one), ...refusingLists(one)]);
  const byTarget = groupedBy(links, ({ to }) => to);
  return {
    resources: resources.map((resource) => ({
      ...resource,
      deletion: deletionOf(resource, byTarget),
    })),
    accounts: deletionOf({ table: accountsTable }, byTarget),
  };
}

interface Link {
  readonly from: UndecidedResource;
  readonly column: string;
  /** The table that the link references. */
  readonly to: string;
  readonly isCascade: boolean;
  /** The table of a list's entries. */
  readonly entries?: string;
}

function requiredLinks(from: UndecidedResource): Link[] {
  return from.fields
    .filter((field) => !isFile(field))
    .flatMap((field) => {
      const link = kindOf(field).link(field);
      if (link === null || link.onDelete === "set null") return [];
      return [
        { from, column: field.column, to: link.table, isCascade: link.onDelete === "cascade" },
      ];
    });
}

/** Lists whose targets cannot be deleted. */
function refusingLists(from: UndecidedResource): Link[] {
  const lists = from.fields.filter((field) => !isFile(field));
  return lists.flatMap((field) => {
    const to = kindOf(field).entries(field);
    if (to?.onDelete !== "no action") return [];
    const entries = entriesName(from.table, field.column);
    return [{ from, column: "target_id", to: to.table, isCascade: false, entries }];
  });
}

function deletionOf(
  { table }: Pick<Resource, "table">,
  byTarget: ReadonlyMap<string, readonly Link[]>,
): Resource["deletion"] {
  const linksTo = (target: string) => byTarget.get(target) ?? [];
  const cascading = (target: string) => linksTo(target).filter(({ isCascade }) => isCascade);
  const deleted = inOrder(table, (target) => cascading(target).map(({ from }) => from.table));
  const links = deleted.flatMap(linksTo);
  const cascades = dependants(links.filter(({ isCascade }) => isCascade));
  return {
    cascades: cascades.toSorted((a, b) => deleted.indexOf(a.table) - deleted.indexOf(b.table)),
    refusals: dependants(links.filter(({ isCascade }) => !isCascade)).toSorted((a, b) =>
      a.resource < b.resource ? -1 : 1,
    ),
  };
}

/** Returns everything reachable from the start in topological order; there are no cycles. */
function inOrder(start: string, next: (from: string) => readonly string[]): readonly string[] {
  const found = new Set<string>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    for (const other of next(name)) visit(other);
    found.add(name);
  };
  visit(start);
  return [...found].reverse();
}

function dependants(links: readonly Link[]): readonly Dependants[] {
  const groups = groupedBy(links, ({ from, entries = from.table }) => entries);
  return [...groups.values()].flatMap((those) =>
    those.slice(0, 1).map(({ from: { name: resource, label, singular, table, id }, entries }) => ({
      resource,
      label,
      singular,
      table,
      id,
      links: those.map(({ column, to }) => ({ column, target: to })),
      ...(entries !== undefined && { entries }),
    })),
  );
}

function groupedBy<Key>(links: readonly Link[], keyOf: (link: Link) => Key): Map<Key, Link[]> {
  const groups = new Map<Key, Link[]>();
  for (const link of links) {
    const key = keyOf(link);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [link]);
    else group.push(link);
  }
  return groups;
}
