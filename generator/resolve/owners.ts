import { didYouMean } from "../../runtime/values/nearest.js";
import type { Problem } from "../../runtime/values/problem.js";
import { listWordsBriefly } from "../../runtime/values/text.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { type DescriptorIssue, problemOf } from "../descriptor/source.js";
import type { OwnerLink } from "../model/model.js";
import { accountField, accountFieldIssue } from "./account-field.js";
import { accounts, columnIn, targetOf } from "./names/stored.js";
import { type Link, linksOf } from "./relations.js";

/** Returns problems with owners that cannot be reached by links of which all but the last are required. */
export function ownerProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  return descriptors.flatMap((descriptor) => {
    const way = followOwner(descriptor, descriptors);
    return way === null || way.problem === null ? [] : [problemOf(descriptor.source, way.problem)];
  });
}

/**
 * Returns the fields that lead from a record of the descriptor to the account that owns it; null if it is not owned by
 * an account.
 */
export function ownerOf(
  descriptor: Descriptor,
  descriptors: readonly Descriptor[],
): readonly OwnerLink[] | null {
  return followOwner(descriptor, descriptors)?.links ?? null;
}

interface Way {
  readonly links: readonly OwnerLink[];
  /** Null if the fields lead to an account. */
  readonly problem: DescriptorIssue | null;
}

/** Follows the path in `owner` up to its first mistake; returns null without an `owner`. */
function followOwner(descriptor: Descriptor, descriptors: readonly Descriptor[]): Way | null {
  if (descriptor.owner === null || descriptor.team !== null) return null;
  const links: OwnerLink[] = [];
  let from: Descriptor | undefined = descriptor;
  for (const field of descriptor.owner.split(".")) {
    if (from === undefined) return { links, problem: tooFar(field, links) };
    const account = accountField(from, field);
    if (account !== null) {
      const problem = accountFieldIssue(account, ["owner"], { mayBeEmpty: true });
      if (problem !== null) return { links, problem };
      const { type } = account;
      const column = columnIn(from, field);
      links.push({ field, column, target: targetOf(accounts, descriptors).table, type });
      from = undefined;
      continue;
    }
    const link: Link | undefined = linksOf(from).find((one) => one.field === field);
    if (link === undefined) return { links, problem: notALink(field, from) };
    if (!link.required) return { links, problem: notRequired(link) };
    const { to }: Link = link;
    const column = columnIn(from, field);
    links.push({ field, column, target: targetOf(to, descriptors).table, type: "uuid" });
    from = descriptors.find(({ name }) => name === to);
    // A link to a resource that does not exist is reported at its definition.
    if (from === undefined) return { links, problem: null };
  }
  return { links, problem: from === undefined ? null : tooShort(links, from) };
}

function issue(message: string, hint: string): DescriptorIssue {
  return { path: ["owner"], at: "value", message, hint };
}

function tooFar(field: string, links: readonly OwnerLink[]): DescriptorIssue {
  const message = `"owner" continues from "${links.at(-1)?.field}", an account, which has no link "${field}"`;
  return issue(message, `leave out .${field}`);
}

function notALink(field: string, from: Descriptor): DescriptorIssue {
  const links = linksOf(from).map((link) => link.field);
  const texts = from.fields.filter(({ kind }) => kind?.namesAccount).map(({ name }) => name);
  const all =
    links.length === 0
      ? `add a required link to ${accounts}`
      : `its links are ${listWordsBriefly(links)}`;
  const message = `"owner" names "${field}", which is not a link of "${from.name}"`;
  return issue(message, didYouMean(field, [...links, ...texts]) ?? all);
}

function notRequired({ field, from }: Link): DescriptorIssue {
  const message = `"owner" names "${field}" of "${from.name}", which is not required, so a record may have no owner`;
  return issue(message, `add required: true to "${field}"`);
}

function tooShort(links: readonly OwnerLink[], { name }: Descriptor): DescriptorIssue {
  const field = links.map((link) => link.field).join(".");
  const message = `"owner" is "${field}", which links to "${name}", not to ${accounts}`;
  return issue(message, `continue with a required link to ${accounts}, such as ${field}.userId`);
}
