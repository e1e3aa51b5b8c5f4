import { memberRoleOf, whoOf } from "../../../runtime/values/access-rule.js";
import { didYouMean } from "../../../runtime/values/nearest.js";
import { listWordsBriefly } from "../../../runtime/values/text.js";
import { type Path, pathKey } from "../../../runtime/values/yaml/position.js";
import type { Descriptor } from "../../descriptor/descriptor.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import type { FoundTeam } from "./found-team.js";
import { usualRole, valuesOf } from "./members.js";

/** Returns issues of rules with a role that members cannot have. */
export function ruleIssues(
  { access, source, owner, team }: Descriptor,
  found: FoundTeam | null,
): readonly DescriptorIssue[] {
  return Object.entries(access).flatMap(([name, rule]) => {
    if (typeof rule === "string") return [];
    return rule.flatMap((entry, index): readonly DescriptorIssue[] => {
      const word = whoOf(entry);
      const role = memberRoleOf(word);
      if (role === null) return [];
      const listed: Path = ["access", name, index];
      const rulePath = source.positions.has(pathKey(listed)) ? listed : ["access", name];
      const path = typeof entry === "string" ? rulePath : [...rulePath, "who"];
      const says = `the rule for "${name}" names "${word}"`;
      const issue = (message: string, hint: string): readonly DescriptorIssue[] => [
        { path, at: "value", message: `${says}${message}`, hint },
      ];
      if (team === null) {
        if (owner === null) return [];
        const hint =
          "write owner: { link: teamId, through: memberships }, or name an account's role";
        return issue(`, but "owner" does not say who belongs to a group`, hint);
      }
      // Mistakes in `through` or `role` are reported at their own position.
      if (found?.through === undefined) return [];
      if (found.role === null) {
        if (team.role !== null) return [];
        return issue(
          `, but "${found.through.name}" has no enum field "${usualRole}"`,
          "add it, or name the field in owner, such as role: position",
        );
      }
      const values = valuesOf(found.role);
      if (values.includes(role)) return [];
      return issue(
        `, which is not a value of "${found.role.name}" in "${found.through.name}"`,
        didYouMean(role, values) ?? `its values are ${listWordsBriefly(values)}`,
      );
    });
  });
}
