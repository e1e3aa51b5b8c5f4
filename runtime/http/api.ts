import type { IncomingMessage, ServerResponse } from "node:http";
import accepts from "accepts";
import { refuse } from "../errors/index.js";
import { send, sendError } from "./answer.js";
import type { AccessRule, Answer, Caller, Route } from "./route.js";
import { type RouteMatch, routeTable } from "./routing.js";
import type { Services } from "./services.js";

/** Tells who makes a request; null without a valid token. */
export type Authenticate = (request: IncomingMessage) => Promise<Caller | null>;

/** Answers a request below `/api`, or passes it on when no route has its path. */
export type Api = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void;

const prefix = "/api";

/**
 * The routes behind one door. Refusals come in the contract's order: path 404, method 405, `Accept`
 * 406, token 401, rule 403; then the route's own.
 */
export function api(routes: readonly Route[], services: Services, authenticate: Authenticate): Api {
  const table = routeTable(routes);
  return (request, response, pass) => {
    const { path, query } = splitUrl(request.url ?? "/");
    const match = path.startsWith(`${prefix}/`) ? table.find(path.slice(prefix.length)) : undefined;
    if (match === undefined) {
      pass();
      return;
    }
    answer(request, match, query).then(
      (answered) => send(response, answered),
      (error: unknown) => sendError(response, error, services.log),
    );
  };

  async function answer(
    request: IncomingMessage,
    { byMethod, params, allow }: RouteMatch,
    query: string,
  ): Promise<Answer> {
    const method = request.method ?? "GET";
    if (method === "OPTIONS") return { status: 204, json: null, headers: { allow } };
    const route = byMethod.get(method === "HEAD" ? "GET" : method);
    if (route === undefined) return refuse("METHOD_NOT_ALLOWED", { headers: { allow } });
    if (!acceptsJson(request)) refuse("NOT_ACCEPTABLE");
    const caller = await admit(request, route.access);
    return route.handle({ request, params, query, caller, services });
  }

  async function admit(request: IncomingMessage, access: AccessRule): Promise<Caller | null> {
    if (access === "public") return null;
    const caller = (await authenticate(request)) ?? refuseUnauthenticated();
    if (access === "signed-in") return caller;
    const allowed = access !== "nobody" && caller.role !== null && access.includes(caller.role);
    return allowed ? caller : refuse("FORBIDDEN");
  }
}

/** 401 for the bearer token (RFC 6750 §3). */
export function refuseUnauthenticated(): never {
  return refuse("UNAUTHENTICATED", { headers: { "www-authenticate": "Bearer" } });
}

/** True unless the `Accept` header excludes JSON. */
export function acceptsJson(request: IncomingMessage): boolean {
  const accept = request.headers.accept;
  if (accept === undefined || accept === "*/*" || accept === "application/json") return true;
  return accepts(request).type("application/json") !== false;
}

/** A request's path and its query string without `?`. */
export function splitUrl(url: string): { path: string; query: string } {
  const at = url.indexOf("?");
  return at < 0 ? { path: url, query: "" } : { path: url.slice(0, at), query: url.slice(at + 1) };
}
