import type { IncomingMessage, ServerResponse } from "node:http";
import { isSentWithCaller } from "../db/index.js";
import { Refusal, refuse } from "../errors/index.js";
import { type Caller, type Services, servicesFor } from "../own-code/index.js";
import { noteAccount, type RequestState } from "../request/index.js";
import { isPublicRule, type Rule } from "../values/access-rule.js";
import { send, sendError, sendLive, sendLong, sendStream } from "./answer/answer.js";
import { logForbidden } from "./answer/log-forbidden.js";
import { openToPages, vary, withCaching } from "./caching.js";
import { attachWork } from "./connections/in-flight.js";
import type { Door } from "./limits/door.js";
import { acceptsEvents, acceptsJson } from "./request/accept.js";
import { refusePart } from "./request/body.js";
import { refuseParameters } from "./request/parameters.js";
import { splitUrl } from "./request/url.js";
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
  Route,
} from "./route/route.js";
import { runRead } from "./route/run-read.js";
import { isAtRoot, noParams, type RouteMatch, routeTable } from "./route/table.js";

/** A request, its state and its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly state: RequestState;
}

/** Answers a request below `/api`, or passes it on if no route has its path. */
export type Api = (exchange: Exchange, pass: () => void) => void;

interface Answering extends Pick<Context, "request" | "services"> {
  readonly response: ServerResponse;
  /**
   * Whether the request has neither a token nor a caller, on a route that accepts such requests; known once the route
   * begins.
   */
  isVisitor: boolean;
}

const prefix = "/api";
/** Bytes. */
const maxQueryLength = 8192;

const nothing: ReadonlySet<string> = new Set();
const plain: Pick<HandledRoute, "accept" | "maxQuery" | "headers"> = {};

/**
 * All generated routes as one handler. Paths in `own` that only a parameter would match are passed on. Refusals come in
 * the order of `docs/http-api.md`: path 404, method 405, `Accept` 406, token 401, rule 403, then those of the route.
 */
export function api(
  routes: readonly Route[],
  all: Services,
  { gate, limiter, atOnce }: Door,
  own: ReadonlySet<string> = nothing,
): Api {
  const table = routeTable(routes.filter((route) => !isAtRoot(route)));
  const rootTable = routeTable(routes.filter(isAtRoot));
  const limitsTokens = all.config.limits.perToken !== null;
  /** Routes whose last caller had a role, so that an attempt as a caller without a role would be in vain. */
  const askedByRole = new WeakSet<ReadRoute>();
  return ({ request, response, state }, pass) => {
    const { path, query } = splitUrl(request.url ?? "/");
    const below = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : "";
    const match = below === "" ? rootTable.find(path) : table.find(below);
    if (match === undefined || (match.params !== noParams && own.has(below))) {
      pass();
      return;
    }
    state.route = match.route;
    const services = servicesFor(all, state);
    const { log } = services;
    const begin = () => answer({ request, response, services, isVisitor: false }, match, query);
    const work = (isApart(match.route) ? begin() : atOnce.run(request, begin)).then(
      (answered): Promise<void> | void => {
        const { stream, long, live } = answered;
        if (live !== undefined) return sendLive(response, answered, live);
        // Making a long text counts as work; sending it ends with the connection.
        if (long !== undefined) {
          return sendLong(response, { ...answered, long }, log);
        }
        if (stream !== undefined) {
          void sendStream(response, { ...answered, stream }, log);
        } else send(response, answered);
      },
      (error: unknown) => {
        logForbidden(services, request, error);
        sendError(response, error, log);
      },
    );
    attachWork(response, work);
  };

  async function answer(
    exchange: Answering,
    { byMethod, params, allow, options }: RouteMatch,
    query: string,
  ): Promise<Answer> {
    const { request, response, services } = exchange;
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
      return caching === undefined ? answered : withCaching(answered, request, caching, exchange);
    }
    if (route.access === "public") {
      await limiter.ofSignIn(request, response, route);
      refusePart(request);
      return route.handle({ ...context, admit: () => identified(exchange, "signed-in") });
    }
    const caller = await identified(exchange, route.access, route.challenge);
    if (caller === null && route.isCreate) await limiter.ofPublicCreate(request, response);
    await limiter.ofSignIn(request, response, route);
    if (route.takesFile !== true) refusePart(request);
    if (!mayHaveQuery(route)) refuseParameters(query);
    return route.handle({ ...context, caller });
  }

  async function identified(
    exchange: Answering,
    access: Rule,
    challenge?: string,
  ): Promise<Caller | null> {
    return admitted(exchange, await gate.identify(exchange), access, challenge);
  }

  /**
   * 401 without a caller if the rule requires one, 429 beyond the caller's limit, 403 if the rule does not name the
   * caller.
   */
  async function admitted(
    exchange: Answering,
    caller: Caller | null,
    access: Rule,
    challenge?: string,
  ): Promise<Caller | null> {
    const { response, services } = exchange;
    noteAccount(services.request, caller);
    if (caller !== null && limitsTokens) await limiter.ofToken(response.req, response, caller);
    return admitSent(exchange, caller, access, challenge);
  }

  /** An invalid token is refused on public routes as well. */
  function admitSent(
    exchange: Answering,
    caller: Caller | null,
    access: Rule,
    challenge?: string,
  ): Caller | null {
    const { request, response, services } = exchange;
    if (caller !== null || !isPublicRule(access)) return admit(caller, access, challenge);
    if (request.headers.authorization !== undefined) refuseUnauthenticated();
    exchange.isVisitor = true;
    openToPages(request, response, services.config);
    return null;
  }

  /** Answers a read. A read sent together with the look-up of the token completes before anything else is awaited. */
  async function answerGet(
    exchange: Answering,
    context: Context,
    route: ReadRoute,
  ): Promise<Answer> {
    const { read, access } = route;
    const { request } = exchange;
    const planned = plan(read, context);
    if (planned instanceof Refusal) {
      // A caller without access must not see validation issues.
      await identified(exchange, access);
      throw planned;
    }
    const isOfCaller = "prepare" in planned;
    const ofNoRole = isOfCaller && !askedByRole.has(route) ? planned.ofNoRole : undefined;
    const sent = isOfCaller ? ofNoRole : planned;
    const isVisitor = isPublicRule(access) && request.headers.authorization === undefined;
    const isLate = isOfCaller && sent !== undefined && !isSentWithCaller(sent);
    if (sent === undefined || gate.ask === undefined || isVisitor || isLate) {
      const caller = await identified(exchange, access);
      if (caller?.role === null) askedByRole.delete(route);
      return answerRead(planned, { ...context, caller });
    }
    const result = await gate.ask(context, sent);
    const found = result?.caller ?? null;
    noteAccount(context.services.request, found);
    const caller = limitsTokens
      ? await admitted(exchange, found, access)
      : admitSent(exchange, found, access);
    const withCaller = { ...context, caller };
    if (!isOfCaller || caller?.role === null) {
      const row = result?.row ?? (await runRead(context.services.db, sent));
      return sent.answer(row, withCaller);
    }
    askedByRole.add(route);
    return answerRead(planned, withCaller);
  }
}

function mayHaveQuery({ method, handle }: HandledRoute): boolean {
  return method === "GET" || handle.takesQuery === true;
}

function isAcceptable(request: IncomingMessage, accept: HandledRoute["accept"]): boolean {
  if (accept === "any") return true;
  return accept === "events" ? acceptsEvents(request) : acceptsJson(request);
}

/** Whether the route handles files, which may take any time, or is a health check, which ignores tokens. */
function isApart(route: string): boolean {
  return apart.test(route);
}

const apart = /^\/api\/(?:_service\/(?:uploads|files|live|ready)|auth\/avatar)(?:\/|$)/;

function plan(read: Read, context: Context): PlannedRead | CallersRead | Refusal {
  try {
    refusePart(context.request);
    return read(context);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
