import { z } from "zod";
import { didYouMean } from "../../../runtime/values/nearest.js";
import { listWords } from "../../../runtime/values/text.js";
import { fieldNamePattern, resourceNamePattern } from "../../kind/field.js";
import type { Descriptor } from "../descriptor.js";
import { readOptions, type Subject } from "../issues.js";
import { isMap, maxOwnerLinks, ownerPattern } from "../shape.js";
import type { DescriptorIssue } from "../source.js";

const fieldName = z
  .string("must be a field's name")
  .regex(fieldNamePattern, "must be a field's name")
  .meta({ hint: 'write a field of the resource in "through", such as teamId' });

/** The value of `owner` if it is a map: records are owned by the members of a group. */
export const teamShape = z
  .strictObject({
    link: z
      .string("must be id or a link's name")
      .regex(ownerPattern, `must be id, a required link, or a path of at most ${maxOwnerLinks}`)
      .meta({ hint: "write id, a field such as teamId, or a path such as projectId.teamId" })
      .describe(
        "The path to the group: id if the record itself is one, a required link such as teamId, or up to three such as projectId.teamId.",
      ),
    through: z
      .string("must be a resource's name")
      .regex(resourceNamePattern, "must be a resource's name")
      .meta({ hint: "write the resource whose records are the memberships, such as memberships" })
      .describe("The resource whose records say which account belongs to which group."),
    group: fieldName
      .optional()
      .describe(
        "The membership's link to the group. Required if it has several links to that resource.",
      ),
    account: fieldName
      .optional()
      .describe(
        "The membership's link to users; required if it has several. With a custom sign-in (auth.enabled: false) it is always required: the name of a required string that holds a caller's accountId.",
      ),
    role: fieldName
      .optional()
      .describe(
        "The membership's enum field that rules such as owner.lead compare. Default: role.",
      ),
    founder: z
      .string("must be a role's name")
      .meta({ hint: "write one of the values of the role's field, such as lead" })
      .optional()
      .describe(
        "With link: id, the role with which the creator of a group becomes its first member. A group never loses its last member with this role.",
      ),
  })
  .describe("The members of a group own the record. Access rules can then name the owner.");

/** The properties of a descriptor that `owner` defines; both are null if it cannot be read. */
interface ReadOwner extends Pick<Descriptor, "owner" | "team"> {
  readonly issues: readonly DescriptorIssue[];
}

/** Reads `owner` if it is a map; its short form is read with the other keys. */
export function readTeam(written: unknown): ReadOwner | null {
  if (!isMap(written)) return null;
  const { issues } = readOptions(teamShape, written, subject);
  const { success, data } = teamShape.safeParse(written);
  if (!success) return { owner: null, team: null, issues };
  const { link, through, group = null, account = null, role = null, founder = null } = data;
  return { owner: link, team: { through, group, account, role, founder }, issues };
}

const keys = Object.keys(teamShape.shape);

const subject: Subject = {
  name: `"owner"`,
  part: "key",
  path: ["owner"],
  example: "owner: { link: projectId.teamId, through: memberships }",
  hintFor: (key) => didYouMean(key, keys) ?? `its keys are ${listWords(keys)}`,
};
