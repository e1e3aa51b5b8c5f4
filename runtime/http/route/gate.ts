import type { IncomingMessage } from "node:http";
import type { Database } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Caller } from "../../own-code/index.js";
import { isOwnerRule, isOwnerWord, type Rule } from "../../values/access-rule.js";
import type { Answer, CallersRead, Context, PlannedRead, Row } from "./route.js";

/** Identifies the caller of a request; null without a valid token. */
export interface Gate {
  identify(request: IncomingMessage): Promise<Caller | null>;
  /**
   * Runs a read's statement together with the look-up of the caller; null, and nothing is run, without a caller. Left
   * out where callers are not looked up in the database.
   */
  ask?(request: IncomingMessage, planned: PlannedRead): Promise<ReadResult | null>;
  /** True when it needs Express's requests, not just Node's. */
  readonly readsExpress?: boolean;
}

export interface ReadResult {
  readonly caller: Caller;
  readonly row: Row;
}

/** Runs a read's statement alone; the row is empty where there is none. */
export async function runRead(
  db: Database,
  { text, values, via, resource, refusalOf }: PlannedRead,
): Promise<Row> {
  const access = resource === undefined ? db : db.ofResource(resource);
  try {
    const [row = {}] = await access[via]<Row>(text, values);
    return row;
  } catch (error) {
    throw refusalOf?.(error) ?? error;
  }
}

/** Runs a read for the caller of the context, and answers it. */
export async function answerRead(
  planned: PlannedRead | CallersRead,
  context: Context,
): Promise<Answer> {
  const prepared = "prepare" in planned ? await planned.prepare(context) : planned;
  return prepared.answer(await runRead(context.services.db, prepared), context);
}

/** 401 without a caller (RFC 6750 §3), 403 for a caller whom the rule does not name. */
export function admit(caller: Caller | null, access: Rule): Caller {
  if (caller === null) return refuseUnauthenticated();
  return isAllowed(caller, access) ? caller : refuseByRule(caller, access);
}

/** 403 by an access rule. */
export function refuseByRule(caller: Caller, ...rules: Rule[]): never {
  return refuse("FORBIDDEN", { reason: ruleReason(caller, ...rules) });
}

/** Why access rules refuse a caller, for the log. */
export function ruleReason({ role }: Caller, ...rules: readonly Rule[]): string {
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
