import { type Conditional, publicWord, type Rule } from "../../../runtime/values/access-rule.js";
import type { Problem } from "../../../runtime/values/problem.js";
import { pathKey } from "../../../runtime/values/yaml/position.js";
import type { Descriptor } from "../../descriptor/descriptor.js";
import { type DescriptorIssue, problemOf } from "../../descriptor/source.js";
import type { ModelEntry, ModelRule } from "../../model/condition.js";
import { type Place, placeOf } from "./place.js";
import { readCondition } from "./read.js";

export function conditionProblems(descriptors: readonly Descriptor[]): readonly Problem[] {
  return descriptors.flatMap((descriptor) =>
    issuesOf(descriptor, descriptors).map((issue) => problemOf(descriptor.source, issue)),
  );
}

function issuesOf(
  descriptor: Descriptor,
  descriptors: readonly Descriptor[],
): readonly DescriptorIssue[] {
  const place = placeOf(descriptor, descriptors);
  return Object.entries(descriptor.access).flatMap(([name, rule]) => {
    if (typeof rule === "string") return [];
    return rule.flatMap((entry, index): readonly DescriptorIssue[] => {
      if (typeof entry === "string") return [];
      // A single entry need not be in a list.
      const listed = ["access", name, index];
      const isListed = descriptor.source.positions.has(pathKey([...listed, "who"]));
      const path = isListed ? listed : ["access", name];
      return [...conditionsOf(entry, place, path)].flatMap(([, { issues }]) => issues);
    });
  });
}

/** Returns the rule with its valid conditions resolved. */
export function meant(rule: Rule, place: Place): ModelRule {
  if (typeof rule === "string") return rule;
  return rule.map((entry): string | ModelEntry => {
    if (typeof entry === "string") return entry;
    const found = conditionsOf(entry, place, []);
    const stored = found.get("where")?.predicate;
    const written = found.get("check")?.predicate;
    return { ...entry, ...(stored && { stored }), ...(written && { written }) };
  });
}

function conditionsOf(entry: Conditional, place: Place, path: readonly (string | number)[]) {
  const isPublic = entry.who === publicWord;
  const found = new Map<"where" | "check", ReturnType<typeof readCondition>>();
  for (const key of ["where", "check"] as const) {
    const json = entry[key];
    if (json === undefined) continue;
    found.set(key, readCondition(place, { value: json, path: [...path, key] }, { isPublic }));
  }
  return found;
}
