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

/** Events link to more records than things do: an order has more links than a category. */
function linksOf({ fields }: Resource): number {
  return fields.filter(({ resource }) => resource !== undefined).length;
}
