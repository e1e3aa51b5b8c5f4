import { isSorted } from "../kind/kinds.js";
import type { Resource } from "./model.js";
import { knownTimes } from "./times.js";

/** Maximum number of links to a field by which lists sort. */
export const maxSortLinks = 2;

/** Returns the sort keys of a resource's lists: its fields, and those of records up to this number of links away. */
export function sortedBy(
  resource: Resource,
  find: (resource: string) => Resource | null,
  links = maxSortLinks,
): readonly string[] {
  const own = ["id", ...resource.fields.filter(isSorted).map(({ name }) => name)];
  const further = links === 0 ? [] : resource.links;
  const linked = further.flatMap(({ name, resource: to }) => {
    const target = find(to);
    const names = target === null ? accountSorted : sortedBy(target, find, links - 1);
    return names.map((field) => `${name}.${field}`);
  });
  return [...own, ...knownTimes(resource.times), ...linked];
}

export const accountSorted: readonly string[] = ["id", "name"];
