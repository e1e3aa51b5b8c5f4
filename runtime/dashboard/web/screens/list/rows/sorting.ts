import type { Sort } from "../../../browser/address/list-address.js";

export interface Sorting {
  /** Whether the field is added to the current sort fields instead of replacing them. */
  readonly isAdded: boolean;
}

/** Cycles a field through ascending, descending and unsorted; `isAdded` keeps the other fields. */
export function sortedBy(
  sort: readonly Sort[],
  field: string,
  { isAdded }: Sorting,
): readonly Sort[] {
  const found = sort.find((one) => one.field === field);
  const others = isAdded ? sort.filter((one) => one.field !== field) : [];
  if (found === undefined) return [...others.slice(-2), { field, isDescending: false }];
  if (found.isDescending) return others;
  const turned = { field, isDescending: true };
  return isAdded ? sort.map((one) => (one.field === field ? turned : one)) : [turned];
}
