import type { IncomingMessage } from "node:http";
import { refuse } from "../../../errors/index.js";
import { splitUrl } from "../../../http/index.js";
import type { Caller, Services } from "../../../own-code/index.js";
import { hashToken, prefixOf } from "../../token/token.js";
import type { SessionUse } from "../last-use/store.js";
import { insufficientScope } from "./challenge.js";
import { isAllowedClient } from "./client.js";
import { judgeApp, judgeView, type RequestLine, type Verdict } from "./rules.js";
import { findAppSession } from "./store.js";
import { findViewSession } from "./views.js";

type IdentifyServices = Pick<Services, "config" | "db" | "clock">;

/** A caller that acts for an account, and the use of its session if that must be stored. */
interface Delegate {
  readonly caller: Caller;
  readonly use: SessionUse | null;
}

/**
 * Identifies the caller of a request with the token of an app, or of an operator who views the app as another account.
 * Null if the token is not valid here. Refuses requests that such a token may not make (403), regardless of the rights
 * of its account.
 */
export async function identifyDelegate(
  services: IdentifyServices,
  token: string,
  request: IncomingMessage,
): Promise<Delegate | null> {
  return prefixOf(token) === "app_"
    ? identifyApp(services, token, request)
    : identifyViewer(services, token, request);
}

async function identifyApp(
  { config, db, clock }: IdentifyServices,
  token: string,
  request: IncomingMessage,
): Promise<Delegate | null> {
  const { apps } = config.auth;
  if (apps === null) return null;
  const now = clock.now();
  const found = await findAppSession(db, hashToken(token), now);
  if (found === null || !isAllowedClient(found.clientId, apps)) return null;
  const verdict = judgeApp(found, lineOf(request), config);
  if (verdict === "scope") throw insufficientScope(config, found);
  if (!isAllowed(verdict)) return null;
  const { accountId, role, sessionId, isStale } = found;
  return { caller: { accountId, role, sessionId }, use: isStale ? { sessionId, at: now } : null };
}

async function identifyViewer(
  { config, db, clock }: IdentifyServices,
  token: string,
  request: IncomingMessage,
): Promise<Delegate | null> {
  const { operators } = config.auth;
  if (operators.length === 0) return null;
  const found = await findViewSession(db, hashToken(token), { now: clock.now(), operators });
  if (found === null) return null;
  if (judgeView(lineOf(request)) === "forbidden") {
    refuse("FORBIDDEN", { error: "You are viewing another account, and may only read" });
  }
  const { accountId, role, sessionId, viewerId: viewer } = found;
  return { caller: { accountId, role, sessionId, viewer }, use: null };
}

function isAllowed(verdict: Verdict): boolean {
  if (verdict === "forbidden") refuse("FORBIDDEN");
  return verdict === "allowed";
}

/**
 * Returns the request's method and path. Uses `originalUrl`, because Express removes the mount path from `url` while a
 * router handles a request.
 */
function lineOf(request: IncomingMessage & { readonly originalUrl?: string }): RequestLine {
  const { path } = splitUrl(request.originalUrl ?? request.url ?? "");
  return { method: request.method ?? "GET", path };
}
