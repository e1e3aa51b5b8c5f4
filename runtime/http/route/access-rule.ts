import { Refusal, refuse } from "../../errors/index.js";
import type { Caller } from "../../own-code/index.js";
import { isOwnerRule, isOwnerWord, type Rule } from "../../values/access-rule.js";

/** 401 without a caller (RFC 6750 §3), 403 for a caller whom the rule does not name. */
export function admit(caller: Caller | null, access: Rule): Caller {
  if (caller === null) return refuseUnauthenticated();
  return isAllowed(caller, access) ? caller : refuseByRule(caller, access);
}

/** 403 by an access rule. */
export function refuseByRule(caller: Caller, ...rules: Rule[]): never {
  throw refusalByRule(caller, ...rules);
}

/** The same, to be thrown later. */
export function refusalByRule(caller: Caller, ...rules: Rule[]): Refusal {
  return new Refusal("FORBIDDEN", { reason: ruleReason(caller, ...rules) });
}

/** Why access rules refuse a caller, for the log. */
function ruleReason({ role }: Caller, ...rules: readonly Rule[]): string {
  const named = rules.map((rule) => (typeof rule === "string" ? rule : `[${rule.join(", ")}]`));
  const whose = role === null ? "no role" : `the role ${JSON.stringify(role)}`;
  return `the access rule is ${named.join(" or ")}, and the caller has ${whose}`;
}

/** Whether the rule names the caller, at least as the owner of some records. */
export function isAllowed({ role }: Caller, access: Rule): boolean {
  return namesRole(access, role) || isOwnerRule(access);
}

/** Whether the rule lets everybody with this role in, for all records. */
export function namesRole(access: Rule, role: string | null): boolean {
  if (access === "signed-in") return true;
  return access !== "nobody" && role !== null && !isOwnerWord(role) && access.includes(role);
}

/** 401 for the bearer token. */
export function refuseUnauthenticated(): never {
  return refuse("UNAUTHENTICATED", { headers: { "www-authenticate": "Bearer" } });
}
