import { Refusal, refuse } from "../../errors/index.js";
import { type Caller, isVisitorRole } from "../../own-code/index.js";
import {
  entriesOf,
  isOwnerWord,
  isPublicRule,
  publicWord,
  type Rule,
  signedInWord,
  whoOf,
} from "../../values/access-rule.js";

/** Returns the caller. Refuses with 401 if there is none (RFC 6750 §3), 403 if the rule does not include the caller. */
export function admit(caller: Caller | null, access: Rule, challenge?: string): Caller {
  if (caller === null) return refuseUnauthenticated(challenge);
  return isAllowed(caller, access) ? caller : refuseByRule(caller, access);
}

/** Like `admit`; returns null without a caller if the rule allows anonymous callers. */
export function admitAny(caller: Caller | null, access: Rule): Caller | null {
  return caller === null && isPublicRule(access) ? null : admit(caller, access);
}

/** Throws the 403 of an access rule. */
export function refuseByRule(caller: Caller, ...rules: Rule[]): never {
  throw refusalByRule(caller, ...rules);
}

/** Returns the 403 of an access rule, to be thrown later. */
export function refusalByRule(caller: Caller, ...rules: Rule[]): Refusal {
  return new Refusal("FORBIDDEN", { reason: ruleReason(caller, ...rules) });
}

/** Explains for the log why access rules refuse a caller. */
function ruleReason({ role }: Caller, ...rules: readonly Rule[]): string {
  const named = rules.map((rule) =>
    typeof rule === "string" ? rule : `[${rule.map(whoOf).join(", ")}]`,
  );
  const whose = role === null ? "no role" : `the role ${JSON.stringify(role)}`;
  return `the access rule is ${named.join(" or ")}, and the caller has ${whose}`;
}

/** Whether the rule names the caller, at least for some records. */
export function isAllowed({ role }: Pick<Caller, "role">, access: Rule): boolean {
  return entriesOf(access).some((entry) => {
    const who = whoOf(entry);
    return isOwnerWord(who) ? !isVisitorRole(role) : isMeant(who, role);
  });
}

/** Whether the rule allows every account with this role, for all records. */
export function namesRole(access: Rule, role: string | null): boolean {
  return entriesOf(access).some((entry) => typeof entry === "string" && isMeant(entry, role));
}

/** Whether a rule's entry covers every account with this role; entries for owners cover none. */
export function isMeant(who: string, role: string | null): boolean {
  if (who === publicWord) return true;
  if (isVisitorRole(role)) return false;
  return who === signedInWord || (who === role && !isOwnerWord(who));
}

/** Throws a 401 that asks for a bearer token. */
export function refuseUnauthenticated(challenge = "Bearer"): never {
  return refuse("UNAUTHENTICATED", { headers: { "www-authenticate": challenge } });
}
