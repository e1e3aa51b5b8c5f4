import type { Resource } from "../../api/client/types.js";

/** Sorts resources by relevance: the recently used first, then those with the most links. */
export function ranked(
  resources: readonly Resource[],
  used: readonly string[],
): readonly Resource[] {
  const rank = ({ name }: Resource) => (used.includes(name) ? used.indexOf(name) : used.length);
  return resources.toSorted(
    (one, other) => rank(one) - rank(other) || linksOf(other) - linksOf(one),
  );
}

/**
 * Counts links, because transactional records have more of them than master data: an order has more than a category.
 */
function linksOf({ fields }: Resource): number {
  return fields.filter(({ resource }) => resource !== undefined).length;
}

/** Filters out resources that only join others: their records hold only links. */
export function ofInterest(resources: readonly Resource[]): readonly Resource[] {
  return resources.filter((one) => !isJoin(one, resources));
}

/** Whether the records only join records of other resources. */
function isJoin(resource: Resource, resources: readonly Resource[]): boolean {
  const { name, fields } = resource;
  const isMembership = resources.some(
    ({ owner }) => typeof owner === "object" && owner.through === name,
  );
  return isMembership || (fields.length > 1 && linksOf(resource) === fields.length);
}
