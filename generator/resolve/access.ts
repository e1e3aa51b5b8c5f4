import { isOwnerRule, isOwnerWord, type Rule } from "../../runtime/values/access-rule.js";
import type { WrittenAccess } from "../descriptor/descriptor.js";
import { type Access, type Action, actions } from "../model/model.js";

/**
 * A rule for every action: its own, else that of `read` or `write`, else `signed-in`. A new group has no members yet, so
 * none of them may create one.
 */
export function accessOf(written: WrittenAccess, { isGroup = false } = {}): Access {
  const rules = actions.map((action): [Action, Rule] => {
    const rule = written[action] ?? written[groups[action]] ?? "signed-in";
    return [action, isGroup && action === "create" ? withoutOwners(rule) : rule];
  });
  return Object.fromEntries(rules) as Access;
}

function withoutOwners(rule: Rule): Rule {
  if (typeof rule === "string" || !isOwnerRule(rule)) return rule;
  const others = rule.filter((word) => !isOwnerWord(word));
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
