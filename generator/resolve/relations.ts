import pluralize from "pluralize";
import { didYouMean } from "../../runtime/values/nearest.js";
import type { Problem } from "../../runtime/values/problem.js";
import { listWordsBriefly } from "../../runtime/values/text.js";
import type { Descriptor } from "../descriptor/descriptor.js";
import { type DescriptorIssue, problemOf } from "../descriptor/source.js";
import { resourceNamePattern } from "../kind/field.js";
import type { Relation } from "../kind/kind.js";
import { reservedResourceHint } from "../model/reserved-names.js";
import { accounts } from "./names/stored.js";

/** Returns problems with links to resources that do not exist, and with required links that close a cycle. */
export function relationProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  const links = descriptors.flatMap(relationsOf);
  return [...unknownTargets(links, descriptors), ...requiredCycles(links, descriptors)];
}

/** A link, even if other options of its field are malformed. */
export interface Link extends Relation {
  readonly from: Descriptor;
  readonly field: string;
}

/** The fields that link to one record. */
export function linksOf(from: Descriptor): readonly Link[] {
  return relationsOf(from).filter(({ list }) => list === undefined);
}

/** The fields with a list of links. */
export function listsOf(from: Descriptor): readonly Link[] {
  return relationsOf(from).filter(({ list }) => list !== undefined);
}

/** The fields that link to one record or to several. */
export function relationsOf(from: Descriptor): readonly Link[] {
  return from.fields.flatMap(({ name, kind, options }) => {
    const relation = kind?.relation(options) ?? null;
    return relation === null ? [] : [{ from, field: name, ...relation }];
  });
}

function unknownTargets(
  links: readonly Link[],
  descriptors: readonly Descriptor[],
): readonly Problem[] {
  const names = descriptors.map(({ name }) => name);
  const isKnown = new Set([...names, accounts]);
  const offered = [...names.filter(isOffered), accounts];
  return links
    .filter(({ to }) => !isKnown.has(to))
    .map(({ from, field, to }) => {
      const hint =
        didYouMean(to, offered) ??
        (to === "" ? null : didYouMean(pluralize.plural(to), offered)) ??
        `the resources are ${listWordsBriefly(offered)}`;
      const issue: DescriptorIssue = {
        path: ["fields", field, "resource"],
        at: "value",
        message: `there is no resource "${to}"`,
        hint,
      };
      return problemOf(from.source, issue);
    });
}

/** Whether hints can suggest the resource; false if it must itself be renamed. */
function isOffered(name: string): boolean {
  return resourceNamePattern.test(name) && reservedResourceHint(name) === null;
}

/** Returns a problem for each required link that closes a cycle; without those links, there would be no cycles. */
function requiredCycles(
  links: readonly Link[],
  descriptors: readonly Descriptor[],
): readonly Problem[] {
  const required = new Map(descriptors.map(({ name }): [string, Link[]] => [name, []]));
  for (const link of links.filter((candidate) => candidate.required)) {
    required.get(link.from.name)?.push(link);
  }
  const problems: Problem[] = [];
  const finished = new Set<string>();

  function follow(resource: string, way: readonly Link[]): void {
    for (const link of required.get(resource) ?? []) {
      const start = way.findIndex(({ from }) => from.name === link.to);
      if (link.to === resource) {
        problems.push(cycleProblem([link]));
      } else if (start >= 0) {
        problems.push(cycleProblem([...way.slice(start), link]));
      } else if (!finished.has(link.to)) {
        follow(link.to, [...way, link]);
      }
    }
    finished.add(resource);
  }

  for (const { name } of descriptors) {
    if (!finished.has(name)) {
      follow(name, []);
    }
  }
  return problems;
}

/** The problem of a cycle, at its last link. */
function cycleProblem(cycle: readonly Link[]): Problem {
  const link = cycle.at(-1);
  if (link === undefined) {
    throw new Error("a cycle has at least one link");
  }
  const way = cycle.map(({ from, field }) => `${from.name}.${field}`).join(" → ");
  return problemOf(link.from.source, {
    path: ["fields", link.field],
    at: "key",
    message: `required links form a cycle: ${way} → ${link.to}`,
    hint: "no record in the cycle could ever be created first: make one of the links optional",
  });
}
