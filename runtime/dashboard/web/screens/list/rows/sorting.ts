import type { Sort } from "../../../browser/address/list-address.js";

/** Up, down, and as it was; with others where it is added to them. */
export function sortedBy(sort: readonly Sort[], field: string, isAdded: boolean): readonly Sort[] {
  const found = sort.find((one) => one.field === field);
  const others = isAdded ? sort.filter((one) => one.field !== field) : [];
  if (found === undefined) return [...others.slice(-2), { field, isDescending: false }];
  if (found.isDescending) return others;
  const turned = { field, isDescending: true };
  return isAdded ? sort.map((one) => (one.field === field ? turned : one)) : [turned];
}
