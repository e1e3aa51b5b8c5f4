import { type Reading, readIncludes } from "../query/include.js";
import type { IncludeParameters } from "../query/include-parameters.js";
import { includedMember } from "../query/included.js";
import type { View } from "../rights/view.js";
import type { Group } from "./group.js";

/** The linked record for a group's value. */
export interface GroupRecord {
  readonly group: Group;
  readonly key: string;
  /** SQL over a row of the groups, whose `groupColumn` has the link: the record as JSON. */
  readonly json: string;
}

/** The column with a group's value. */
export function groupColumn(at: number): string {
  return `_by_${at}`;
}

/** Reads which records to return for the links by which rows are grouped. */
export function readGroupRecords(
  view: View,
  requested: readonly IncludeParameters[] | undefined,
  { groups, ...reading }: Reading & { readonly groups: readonly Group[] },
): readonly GroupRecord[] {
  return readIncludes(view, requested, reading).flatMap((include) => {
    const { name, related } = include;
    const field = view.links?.[name]?.field;
    const at = groups.findIndex(({ key }) => key === field);
    const group = groups[at];
    const isListed = group?.column.entries !== undefined;
    if ((related.isInverse && !isListed) || group === undefined) {
      reading.issues.reject("include", `"${name}" is not a link in "by"`);
      return [];
    }
    const near = { ...related, near: groupColumn(at) };
    const { through: _, ...one } = near;
    const shown = isListed
      ? { page: null, related: { ...one, isInverse: false } }
      : { related: near };
    const { key, value } = includedMember({ ...include, ...shown }, reading.reach);
    return [{ group, key, json: value }];
  });
}
