import type { DescriptorIssue } from "../../descriptor/source.js";
import type { FoundTeam } from "./found-team.js";
import { issueAt } from "./issue.js";

/**
 * Returns the issues of memberships that are not unique by group and account: if one of them were removed, the account
 * could keep another.
 */
export function pairIssues({ through, group, account }: FoundTeam): readonly DescriptorIssue[] {
  if (through === undefined || group === null || account === null) return [];
  const { name, unique } = through;
  const pair = [group, account.field].toSorted();
  const isUnique = unique.some(
    (list) => list.length === 2 && list.toSorted().every((one, at) => one === pair[at]),
  );
  if (isUnique) return [];
  const message = `"through" is "${name}", which may have several records for one account in a group`;
  const hint = `add unique: [[${group}, ${account.field}]] to "${name}"`;
  return [issueAt("through", message, hint)];
}
