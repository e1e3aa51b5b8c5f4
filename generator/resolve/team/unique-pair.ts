import type { DescriptorIssue } from "../../descriptor/source.js";
import type { FoundTeam } from "./found-team.js";
import { issueAt } from "./issue.js";

/**
 * Issues that allow an account several memberships of a group: removed from one, it would still
 * belong to the group.
 */
export function pairIssues({ through, group, account }: FoundTeam): readonly DescriptorIssue[] {
  if (through === undefined || group === null || account === null) return [];
  const { name, unique } = through;
  const pair = [group, account.field].toSorted();
  const isUnique = unique.some(
    (list) => list.length === 2 && list.toSorted().every((one, at) => one === pair[at]),
  );
  if (isUnique) return [];
  const message = `"through" is "${name}", which may have several records of an account in a group`;
  const hint = `add unique: [[${group}, ${account.field}]] to "${name}"`;
  return [issueAt("through", message, hint)];
}
