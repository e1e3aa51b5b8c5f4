import { didYouMean } from "../../runtime/values/nearest.js";
import type { Problem } from "../../runtime/values/problem.js";
import { listWordsBriefly } from "../../runtime/values/text.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { type DescriptorIssue, problemOf } from "../descriptor/source.js";
import type { OwnerLink } from "../model/model.js";
import { columnOf } from "../model/names.js";
import { accounts, type Link, linksOf, targetOf } from "./relations.js";

/** Owners that required links do not lead to. */
export function ownerProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  return descriptors.flatMap((descriptor) => {
    const way = followOwner(descriptor, descriptors);
    return way === null || way.problem === null ? [] : [problemOf(descriptor.source, way.problem)];
  });
}

/** The links that lead from a record of the descriptor to the account that owns it; null where nobody does. */
export function ownerOf(
  descriptor: Descriptor,
  descriptors: readonly Descriptor[],
): readonly OwnerLink[] | null {
  const way = followOwner(descriptor, descriptors);
  if (way === null) return null;
  return way.links.map(({ field, to }) => {
    return { field, column: columnOf(field), target: targetOf(to).table };
  });
}

interface Way {
  readonly links: readonly Link[];
  /** Null where the links lead to an account. */
  readonly problem: DescriptorIssue | null;
}

/** The way that `owner` describes, as far as it goes; null without an `owner`. */
function followOwner(descriptor: Descriptor, descriptors: readonly Descriptor[]): Way | null {
  if (descriptor.owner === null) return null;
  const links: Link[] = [];
  let from: Descriptor | undefined = descriptor;
  for (const field of descriptor.owner.split(".")) {
    if (from === undefined) return { links, problem: tooFar(field, links) };
    const link: Link | undefined = linksOf(from).find((one) => one.field === field);
    if (link === undefined) return { links, problem: notALink(field, from) };
    if (!link.required) return { links, problem: notRequired(link) };
    links.push(link);
    const { to }: Link = link;
    from = descriptors.find(({ name }) => name === to);
    // A link to a resource that does not exist is reported where it is written.
    if (from === undefined && to !== accounts) return { links, problem: null };
  }
  return { links, problem: from === undefined ? null : tooShort(links, from) };
}

function issue(message: string, hint: string): DescriptorIssue {
  return { path: ["owner"], at: "value", message, hint };
}

function tooFar(field: string, links: readonly Link[]): DescriptorIssue {
  const message = `"owner" goes on from "${links.at(-1)?.field}", an account, which has no link "${field}"`;
  return issue(message, `leave out .${field}`);
}

function notALink(field: string, from: Descriptor): DescriptorIssue {
  const links = linksOf(from).map((link) => link.field);
  const all =
    links.length === 0
      ? `add a required link to ${accounts}`
      : `its links are ${listWordsBriefly(links)}`;
  const message = `"owner" names "${field}", which is not a link of "${from.name}"`;
  return issue(message, didYouMean(field, links) ?? all);
}

function notRequired({ field, from }: Link): DescriptorIssue {
  const message = `"owner" names "${field}" of "${from.name}", which is not required, so a record may have no owner`;
  return issue(message, `add required: true to "${field}"`);
}

function tooShort(links: readonly Link[], { name }: Descriptor): DescriptorIssue {
  const field = links.map((link) => link.field).join(".");
  const message = `"owner" is "${field}", which leads to "${name}", not to ${accounts}`;
  return issue(message, `go on to a required link to ${accounts}, such as ${field}.userId`);
}
