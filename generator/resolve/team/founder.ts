import { didYouMean } from "../../../runtime/values/nearest.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import type { Descriptor } from "../../descriptor/descriptor.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import type { FoundTeam } from "./found-team.js";
import { issueAt } from "./issue.js";
import { usualRole, valuesOf } from "./members.js";

/** Returns the reasons why the creator of a group cannot become its first member. */
export function founderIssues(
  { owner, team }: Descriptor,
  { through, group, account, role }: FoundTeam,
): readonly DescriptorIssue[] {
  const founder = team?.founder ?? null;
  if (founder === null) return [];
  const issue = (message: string, hint: string) => issueAt("founder", message, hint);
  if (owner !== "id") {
    return [
      issue(`"founder" is for the group's own resource, where "link" is id`, "leave it out here"),
    ];
  }
  if (through === undefined || group === null || account === null) return [];
  const { name, fields } = through;
  const issues: DescriptorIssue[] = [];
  if (role === null) {
    if (team?.role !== null) return [];
    issues.push(
      issue(`"founder" is a role, but "${name}" has no enum field "${usualRole}"`, "add it"),
    );
  } else if (!valuesOf(role).includes(founder)) {
    const values = valuesOf(role);
    const hint = didYouMean(founder, values) ?? `its values are ${listWordsBriefly(values)}`;
    issues.push(
      issue(`"founder" is "${founder}", which is not a value of "${role.name}" in "${name}"`, hint),
    );
  }
  if (role?.options.readOnly === true) {
    const message = `"founder" is written to "${role.name}" of "${name}", which is read-only`;
    issues.push(issue(message, `remove readOnly from "${role.name}"`));
  }
  const set = new Set([group, account.field, role?.name]);
  for (const { name: field, options } of fields) {
    if (set.has(field) || options.required !== true || options.default !== undefined) continue;
    const message = `"founder" creates a record of "${name}", whose "${field}" is required and has no default`;
    issues.push(issue(message, `give "${field}" a default, or make it optional`));
  }
  return issues;
}
