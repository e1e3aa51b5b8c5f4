import { didYouMean } from "../../../runtime/values/nearest.js";
import type { Problem } from "../../../runtime/values/problem.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import type { Descriptor, WrittenTeam } from "../../descriptor/descriptor.js";
import { type DescriptorIssue, problemOf } from "../../descriptor/source.js";
import type { OwnerLink, Team, TeamField } from "../../model/model.js";
import { columnIn, targetOf } from "../names/stored.js";
import type { FoundTeam } from "./found-team.js";
import { founderIssues } from "./founder.js";
import { followLinks } from "./group.js";
import { issueAt } from "./issue.js";
import { groupField, memberField, roleField } from "./members.js";
import { ruleIssues } from "./rules.js";
import { pairIssues } from "./unique-pair.js";

/** Returns mistakes in the group in `owner`, and in rules that refer to members' roles. */
export function teamProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  return descriptors.flatMap((descriptor) => {
    const found = followTeam(descriptor, descriptors);
    const issues = [
      ...(found?.issues ?? []),
      ...ruleIssues(descriptor, found),
      ...(found === null ? [] : [...pairIssues(found), ...founderIssues(descriptor, found)]),
    ];
    return issues.map((issue) => problemOf(descriptor.source, issue));
  });
}

/**
 * Returns the path from a record to the group that owns it, and the group's members; null if it is not owned by a
 * group.
 */
export function teamOf(
  descriptor: Descriptor,
  descriptors: readonly Descriptor[],
): { readonly owner: readonly OwnerLink[]; readonly team: Team } | null {
  const found = followTeam(descriptor, descriptors);
  if (found?.through === undefined || descriptor.team === null) return null;
  const { through, links, group, account, role } = found;
  if (group === null || account === null) return null;
  return {
    owner: links.map(({ from, field, to }) => ({
      field,
      column: columnIn(from, field),
      target: targetOf(to, descriptors).table,
      type: "uuid",
    })),
    team: {
      through: through.name,
      table: targetOf(through.name, descriptors).table,
      group: teamField(through, group),
      account: { ...teamField(through, account.field), type: account.type },
      role: role === null ? null : teamField(through, role.name),
      founder: descriptor.team.founder,
    },
  };
}

function teamField(through: Descriptor, field: string): TeamField {
  return { field, column: columnIn(through, field) };
}

function followTeam(descriptor: Descriptor, descriptors: readonly Descriptor[]): FoundTeam | null {
  const { owner, team } = descriptor;
  if (owner === null || team === null) return null;
  const way = followLinks(descriptor, owner, descriptors);
  const through = descriptors.find(({ name }) => name === team.through);
  const none = { links: way.links, group: null, account: null, role: null };
  if (through === undefined) {
    return { ...none, issues: [...way.issues, unknownThrough(team, descriptors)] };
  }
  const group = way.end === null ? { field: null, issues: [] } : groupField(through, team, way.end);
  const account = memberField(through, team);
  const role = roleField(through, team);
  return {
    links: way.links,
    through,
    group: group.field,
    account: account.field,
    role: role.field,
    issues: [...way.issues, ...group.issues, ...account.issues, ...role.issues],
  };
}

function unknownThrough(
  { through }: WrittenTeam,
  descriptors: readonly Descriptor[],
): DescriptorIssue {
  const names = descriptors.map(({ name }) => name);
  const hint = didYouMean(through, names) ?? `the resources are ${listWordsBriefly(names)}`;
  return issueAt("through", `"through" names "${through}", which is not a resource`, hint);
}
