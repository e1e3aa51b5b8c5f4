import {
  entriesOf,
  isPublicRule,
  type JsonCondition,
  publicWord,
  type Rule,
  whoOf,
} from "../../../values/access-rule.js";
import type { Field, Resource } from "../api/client/types.js";

/** Whether callers without a token may list or open all or some records. */
export function isPublic({ access = {} }: Resource): boolean {
  return [access.list, access.get].some((rule) => rule !== undefined && isPublicRule(rule));
}

/** Whether callers without a token see the field of a public record. */
export function isPublicField(resource: Resource, { access }: Field): boolean {
  // `signed-in` alone means that the field has no rule; a field's rule is a list.
  return isPublic(resource) && (access === undefined || access.read === "signed-in");
}

/**
 * The conditions under which a rule allows callers without a token. Empty if it allows all records; null if it does not
 * mention them.
 */
export function publicConditions(rule: Rule | undefined): readonly JsonCondition[] | null {
  const entries = entriesOf(rule ?? "nobody").filter((entry) => whoOf(entry) === publicWord);
  if (entries.length === 0) return null;
  const wheres = entries.flatMap((entry): readonly JsonCondition[] =>
    typeof entry === "string" || entry.where === undefined ? [] : [entry.where],
  );
  return wheres.length < entries.length ? [] : wheres;
}
