import type { Resource } from "../../api/client/types.js";

/** The resources by relevance: those used last, then those with the most links. */
export function ranked(
  resources: readonly Resource[],
  used: readonly string[],
): readonly Resource[] {
  const rank = ({ name }: Resource) => (used.includes(name) ? used.indexOf(name) : used.length);
  return resources.toSorted(
    (one, other) => rank(one) - rank(other) || linksOf(other) - linksOf(one),
  );
}

/** Transactional records have more links than master data: an order has more than a category. */
function linksOf({ fields }: Resource): number {
  return fields.filter(({ resource }) => resource !== undefined).length;
}
