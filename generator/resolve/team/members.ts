import { didYouMean } from "../../../runtime/values/nearest.js";
import { listWords } from "../../../runtime/values/text.js";
import type { Descriptor, FieldDescriptor, WrittenTeam } from "../../descriptor/descriptor.js";
import type { DescriptorIssue } from "../../descriptor/source.js";
import { type AccountField, accountField, accountFieldIssue } from "../account-field.js";
import { accounts } from "../names/stored.js";
import { linksOf } from "../relations.js";
import { issueAt } from "./issue.js";

/** A field of memberships; null if unknown. */
export interface Found<Field> {
  readonly field: Field | null;
  readonly issues: readonly DescriptorIssue[];
}

function refused<Field>(issue: DescriptorIssue): Found<Field> {
  return { field: null, issues: [issue] };
}

/** Returns the required link of memberships to the group: the field in `group`, or else the only such link. */
export function groupField(
  through: Descriptor,
  { group }: WrittenTeam,
  end: Descriptor,
): Found<string> {
  const all = linksOf(through).filter(({ to, required }) => required && to === end.name);
  return theOnly(
    all.map(({ field }) => field),
    { key: "group", named: group, through, to: end.name },
  );
}

/**
 * Returns the field that identifies the account of a membership: the field in `account`, or else the only required link
 * to accounts.
 */
export function memberField(through: Descriptor, { account }: WrittenTeam): Found<AccountField> {
  const named = account === null ? null : accountField(through, account);
  if (named !== null) {
    const issue = accountFieldIssue(named, ["owner", "account"]);
    return issue === null ? { field: named, issues: [] } : refused(issue);
  }
  const all = linksOf(through).filter(({ to, required }) => required && to === accounts);
  const { field, issues } = theOnly(
    all.map((link) => link.field),
    { key: "account", named: account, through, to: accounts },
  );
  return { field: field === null ? null : accountField(through, field), issues };
}

function theOnly(
  all: readonly string[],
  {
    key,
    named,
    through,
    to,
  }: { key: "group" | "account"; named: string | null; through: Descriptor; to: string },
): Found<string> {
  const [only, ...others] = all;
  if (named !== null) {
    if (all.includes(named)) return { field: named, issues: [] };
    const message = `"${key}" names "${named}", which is not a required link of "${through.name}" to "${to}"`;
    const hint =
      didYouMean(named, all) ??
      (all.length === 0 ? `add one to "${through.name}"` : `such a link is ${listWords(all)}`);
    return refused(issueAt(key, message, hint));
  }
  if (only === undefined) {
    const message = `"through" is "${through.name}", which has no required link to "${to}"`;
    return refused(issueAt("through", message, `add one to "${through.name}"`));
  }
  if (others.length === 0) return { field: only, issues: [] };
  const message = `"through" is "${through.name}", which has several required links to "${to}"`;
  return refused(
    issueAt("through", message, `choose one: ${key}: ${only}, or another of ${listWords(all)}`),
  );
}

/** The role field if `owner` names none. */
export const usualRole = "role";

/**
 * Returns the enum field with the members' roles: the field in the option `role`, or by default `role` if it exists.
 */
export function roleField(
  { name: through, fields }: Descriptor,
  { role }: WrittenTeam,
): Found<FieldDescriptor> {
  const field = fields.find(({ name, kind }) => name === (role ?? usualRole) && kind?.namesRole);
  if (field !== undefined || role === null) return { field: field ?? null, issues: [] };
  const enums = fields.flatMap(({ name, kind }) => (kind?.namesRole ? [name] : []));
  const all =
    enums.length === 0 ? `add one to "${through}"` : `its enum fields are ${listWords(enums)}`;
  const message = `"role" names "${role}", which is not an enum field of "${through}"`;
  return refused(issueAt("role", message, didYouMean(role, enums) ?? all));
}

export function valuesOf(role: FieldDescriptor): readonly string[] {
  const { values } = role.options;
  return Array.isArray(values) ? values : [];
}
