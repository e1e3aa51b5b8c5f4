import type { Actor, Caller } from "../../own-code/index.js";
import { isUnicode } from "../../values/text.js";
import { isUuid } from "../../values/uuid.js";

/** Turns the actor into the app itself: neither access rules nor policies apply. */
export function trusted(actor: Actor): Actor {
  return { ...actor, services: { ...actor.services, policies: {}, isTrusted: true } };
}

/** Turns the actor into a caller to whom access rules and policies apply; null is an anonymous caller. */
export function judged(actor: Actor, caller: Caller | null): Actor {
  const { policies } = actor.services.appCode;
  return { ...actor, caller, services: { ...actor.services, policies, isTrusted: false } };
}

/**
 * Throws a `TypeError` unless `resources.as` got a caller: the account id is a UUID or, with custom authentication, any
 * text.
 */
export function checkCaller({ services }: Actor, given: Caller): void {
  const sent: Partial<Record<keyof Caller, unknown>> = Object(given);
  const { accountId, role = null, sessionId = null } = sent;
  const { enabled } = services.config.auth;
  if (typeof accountId !== "string" || accountId === "" || (enabled && !isUuid(accountId))) {
    fail("accountId", enabled ? "the id of an account, which is a UUID" : "a string", accountId);
  }
  for (const [key, value] of Object.entries({ role, sessionId })) {
    if (value === null || (typeof value === "string" && isUnicode(value))) continue;
    fail(key, "a string or null", value);
  }
}

function fail(key: string, expected: string, given: unknown): never {
  const shown = typeof given === "string" ? JSON.stringify(given.slice(0, 100)) : typeof given;
  throw new TypeError(`resources.as: "${key}" must be ${expected}, not ${shown}`);
}
