import type { IncomingMessage, ServerResponse } from "node:http";
import { Refusal, refuse } from "../errors/index.js";
import type { Caller } from "../own-code/index.js";
import { noteAccount } from "../request/index.js";
import { isPublicRule, type Rule } from "../values/access-rule.js";
import { openToPages, vary, withCaching } from "./caching.js";
import type { Door } from "./limits/door.js";
import { acceptsEvents, acceptsJson } from "./request/accept.js";
import { refusePart } from "./request/body.js";
import { refuseParameters } from "./request/parameters.js";
import { admit, refuseUnauthenticated } from "./route/access-rule.js";
import { answerRead } from "./route/gate.js";
import type {
  Answer,
  CallersRead,
  Context,
  HandledRoute,
  PlannedRead,
  Read,
  ReadRoute,
} from "./route/route.js";
import { runRead } from "./route/run-read.js";
import { sentFirst } from "./route/sent-first.js";
import type { RouteMatch } from "./route/table.js";

/** A request to one of the generated routes. */
interface ApiExchange extends Pick<Context, "request" | "services"> {
  readonly response: ServerResponse;
  readonly door: Door;
  /** The routes whose last caller had a role. */
  readonly calledByRole: Set<ReadRoute>;
  /** Whether the request has neither a token nor a caller, on a route that accepts this; set when the route starts. */
  isVisitor: boolean;
}

/** A route's access rule, and the challenge of its 401. */
interface Guarded {
  readonly access: Rule;
  readonly challenge?: string | undefined;
}

/** Maximum length in bytes. */
const maxQueryLength = 8192;

const plain: Pick<HandledRoute, "accept" | "maxQuery" | "headers"> = {};

/**
 * Responds to a request whose path matches a route. Refusals come in the order of `docs/http-api.md`: method 405,
 * `Accept` 406, token 401, rule 403, then those of the route.
 */
export async function answerRequest(
  exchange: ApiExchange,
  { byMethod, params, allow, options, takesOverride }: RouteMatch,
  query: string,
): Promise<Answer> {
  const { request, response, services, door } = exchange;
  if (takesOverride) overrideMethod(request);
  const method = request.method ?? "GET";
  if (method === "OPTIONS") return { status: 204, json: null, headers: { allow, ...options } };
  const route = byMethod.get(method === "HEAD" ? "GET" : method);
  if (route === undefined) return refuse("METHOD_NOT_ALLOWED", { headers: { allow } });
  const { accept, maxQuery = maxQueryLength, headers = {} } = "read" in route ? plain : route;
  for (const name in headers) response.setHeader(name, headers[name] ?? "");
  if (!isAcceptable(request, accept)) refuse("NOT_ACCEPTABLE");
  if (query.length > maxQuery) refuse("URI_TOO_LONG");
  const context = { request, params, query, caller: null, services };
  if (route.access !== "public" && isPublicRule(route.access)) vary(response, services.config);
  const { caching } = route;
  if ("read" in route) {
    const answered = await answerGet(exchange, context, route);
    return caching === undefined ? answered : withCaching(answered, caching, exchange);
  }
  if (route.access === "public") {
    await door.limiter.ofSignIn(request, response, route);
    refusePart(request);
    return route.handle({ ...context, admit: () => identified(exchange, { access: "signed-in" }) });
  }
  const { access, challenge } = route;
  const caller = await identified(exchange, { access, challenge });
  if (caller === null && route.isCreate) await door.limiter.ofPublicCreate(request, response);
  await door.limiter.ofSignIn(request, response, route);
  if (route.takesFile !== true) refusePart(request);
  if (!mayHaveQuery(route)) refuseParameters(query);
  return route.handle({ ...context, caller });
}

/**
 * Replaces the method of a POST with that of its header, before anything else reads it: for clients whose network
 * passes only GET and POST. Other methods stay, so that a read-only token cannot write.
 */
function overrideMethod(request: IncomingMessage): void {
  const { "x-http-method-override": method } = request.headers;
  if (request.method === "POST" && typeof method === "string")
    request.method = method.toUpperCase();
}

async function identified(exchange: ApiExchange, route: Guarded): Promise<Caller | null> {
  return admitted(exchange, await exchange.door.gate.identify(exchange), route);
}

/**
 * Refuses with 401 if the rule requires a caller and there is none, 429 if the caller exceeds its limit, and 403 if the
 * rule does not include the caller.
 */
async function admitted(
  exchange: ApiExchange,
  caller: Caller | null,
  route: Guarded,
): Promise<Caller | null> {
  await noted(exchange, caller);
  return admitNoted(exchange, caller, route);
}

/** Records the caller for the log, and counts the request toward the caller's limit, if there is one. */
function noted(
  { response, services, door }: ApiExchange,
  caller: Caller | null,
): Promise<void> | void {
  noteAccount(services.request, caller);
  if (caller !== null) return door.limiter.ofToken(response.req, response, caller);
}

/** Admits a caller by the route's rule. Public rules refuse an invalid token too. */
function admitNoted(
  exchange: ApiExchange,
  caller: Caller | null,
  { access, challenge }: Guarded,
): Caller | null {
  const { request, response, services } = exchange;
  if (caller !== null || !isPublicRule(access)) return admit(caller, access, challenge);
  if (request.headers.authorization !== undefined) refuseUnauthenticated();
  exchange.isVisitor = true;
  openToPages(request, response, services.config);
  return null;
}

/**
 * Responds to a read. A read that is sent together with the lookup of the token completes before anything else is
 * awaited.
 */
async function answerGet(
  exchange: ApiExchange,
  context: Context,
  route: ReadRoute,
): Promise<Answer> {
  const { read, access } = route;
  const { request, services, door } = exchange;
  const planned = plan(read, context);
  if (planned instanceof Refusal) {
    // A caller without access must not see validation issues.
    await identified(exchange, route);
    throw planned;
  }
  const { gate } = door;
  const first = sentFirst(planned, {
    hasToken: request.headers.authorization !== undefined,
    isPublic: isPublicRule(access),
    canAsk: gate.ask !== undefined,
    isCalledByRole: exchange.calledByRole.has(route),
  });
  const result = first === null ? null : await gate.ask?.(context, first);
  const found = first === null ? await gate.identify(exchange) : (result?.caller ?? null);
  const limited = noted(exchange, found);
  if (limited instanceof Promise) await limited;
  const caller = admitNoted(exchange, found, route);
  noteRole(exchange, route, caller);
  const ofCaller = { ...context, caller };
  const isRead = first !== null && (first === planned || caller?.role === null);
  if (!isRead) return answerRead(planned, ofCaller);
  return first.answer(result?.row ?? (await runRead(services.db, first)), ofCaller);
}

function noteRole({ calledByRole }: ApiExchange, route: ReadRoute, caller: Caller | null): void {
  if (caller === null) return;
  if (caller.role === null) calledByRole.delete(route);
  else calledByRole.add(route);
}

function mayHaveQuery({ method, handle }: HandledRoute): boolean {
  return method === "GET" || handle.takesQuery === true;
}

function isAcceptable(request: IncomingMessage, accept: HandledRoute["accept"]): boolean {
  if (accept === "any") return true;
  return accept === "events" ? acceptsEvents(request) : acceptsJson(request);
}

function plan(read: Read, context: Context): PlannedRead | CallersRead | Refusal {
  try {
    refusePart(context.request);
    return read(context);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
