import {
  type Conditional,
  isOwnerWord,
  publicWord,
  type Rule,
  signedInWord,
  whoOf,
} from "../../../runtime/values/access-rule.js";
import type { WrittenAccess } from "../../descriptor/descriptor.js";
import { type Access, type Action, actions } from "../../model/model.js";
import { meant } from "../conditions/conditions.js";
import type { Place } from "../conditions/place.js";

/**
 * Returns the rule of every action: its own, or that of `read` or `write`, or by default `signed-in`. A new group has
 * no members yet, so rules for members do not apply to its creation.
 */
export function rulesOf(
  written: WrittenAccess,
  { isGroup = false } = {},
): Readonly<Record<Action, Rule>> {
  const rules = actions.map((action): [Action, Rule] => {
    const own = written[action];
    const rule = own ?? asFor(action, written[groups[action]] ?? "signed-in");
    return [action, simplified(isGroup && action === "create" ? withoutOwners(rule) : rule)];
  });
  return Object.fromEntries(rules) as Record<Action, Rule>;
}

/** Returns the rules, with their conditions resolved for records of this place. */
export function accessOf(written: WrittenAccess, place: Place, options = {}): Access {
  const rules = Object.entries(rulesOf(written, options));
  return Object.fromEntries(rules.map(([action, rule]) => [action, meant(rule, place)])) as Access;
}

/** Returns what `read` or `write` means for an action: `stats` needs a token, and `delete` ignores `check`. */
function asFor(action: Action, rule: Rule): Rule {
  if (typeof rule === "string") return rule;
  if (action === "stats") return rule.map((entry) => withWho(entry, asSignedIn));
  return action === "delete" ? rule.map(withoutCheck) : rule;
}

function asSignedIn(who: string): string {
  return who === publicWord ? signedInWord : who;
}

function withWho(entry: string | Conditional, change: (who: string) => string) {
  return typeof entry === "string" ? change(entry) : { ...entry, who: change(entry.who) };
}

function withoutCheck(entry: string | Conditional): string | Conditional {
  if (typeof entry === "string") return entry;
  const { check: _, ...others } = entry;
  return others;
}

/** The rule without redundant entries; entries without a condition become words. */
export function simplified(rule: Rule): Rule {
  if (typeof rule === "string") return rule;
  const entries = rule.map((entry) => {
    if (typeof entry === "string") return entry;
    return entry.where === undefined && entry.check === undefined ? entry.who : entry;
  });
  if (entries.includes(publicWord)) return [publicWord];
  if (!entries.includes(signedInWord)) return [...new Set(entries)];
  const others = entries.filter((entry) => whoOf(entry) === publicWord);
  return others.length === 0 ? signedInWord : [signedInWord, ...others];
}

function withoutOwners(rule: Rule): Rule {
  if (typeof rule === "string") return rule;
  const others = rule.filter((entry) => !isOwnerWord(whoOf(entry)));
  return others.length === 0 ? "nobody" : others;
}

const groups: Readonly<Record<Action, "read" | "write">> = {
  list: "read",
  get: "read",
  stats: "read",
  create: "write",
  update: "write",
  delete: "write",
};
