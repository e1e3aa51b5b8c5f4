import type { IncomingMessage } from "node:http";
import { refuse } from "../../errors/index.js";
import type { Caller } from "../../services/index.js";
import type { AccessRule, Question, Row } from "./route.js";

/** Identifies the caller of a request; null without a valid token. */
export interface Gate {
  identify(request: IncomingMessage): Promise<Caller | null>;
  /** Runs a question's statement for the caller of the request; null, and nothing is run, without a caller. */
  ask(request: IncomingMessage, question: Question): Promise<QuestionResult | null>;
  /** True when it needs Express's requests, not just Node's. */
  readonly readsExpress?: boolean;
}

export interface QuestionResult {
  readonly caller: Caller;
  readonly row: Row;
}

/** 401 without a caller (RFC 6750 §3), 403 for a caller whom the rule does not name. */
export function admit(caller: Caller | null, access: Exclude<AccessRule, "public">): Caller {
  if (caller === null) return refuseUnauthenticated();
  return isAllowed(caller, access) ? caller : refuse("FORBIDDEN");
}

/** Whether the rule names the caller. */
export function isAllowed({ role }: Caller, access: Exclude<AccessRule, "public">): boolean {
  if (access === "signed-in") return true;
  return access !== "nobody" && role !== null && access.includes(role);
}

/** 401 for the bearer token. */
export function refuseUnauthenticated(): never {
  return refuse("UNAUTHENTICATED", { headers: { "www-authenticate": "Bearer" } });
}
