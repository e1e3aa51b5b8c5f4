import {
  entriesOf,
  isPublicRule,
  type JsonCondition,
  publicWord,
  type Rule,
  whoOf,
} from "../../../values/access-rule.js";
import type { Field, Resource } from "../api/client/types.js";

/** Whether callers without a token may list or open records, all or some. */
export function isPublic({ access = {} }: Resource): boolean {
  return [access.list, access.get].some((rule) => rule !== undefined && isPublicRule(rule));
}

/** Whether the field is among what callers without a token see of a public record. */
export function isPublicField(resource: Resource, { access }: Field): boolean {
  // A field without a rule has the word as its rule, and one with a rule a list.
  return isPublic(resource) && (access === undefined || access.read === "signed-in");
}

/** The conditions under which a rule allows callers without a token: none for all records; null if it never does. */
export function publicConditions(rule: Rule | undefined): readonly JsonCondition[] | null {
  const entries = entriesOf(rule ?? "nobody").filter((entry) => whoOf(entry) === publicWord);
  if (entries.length === 0) return null;
  const wheres = entries.flatMap((entry): readonly JsonCondition[] =>
    typeof entry === "string" || entry.where === undefined ? [] : [entry.where],
  );
  return wheres.length < entries.length ? [] : wheres;
}
