import type { IncomingMessage } from "node:http";
import { STATUS_CODES } from "node:http";
import { createRequire } from "node:module";
import type express from "express";
import type { ErrorRequestHandler, Express, RequestHandler, Router } from "express";
import { refuse } from "../errors/index.js";
import { type Caller, inScope, newRequestLog, type Services } from "../own-code/index.js";
import type { RequestState } from "../request/index.js";
import { send, sendError } from "./answer/answer.js";
import { setLaterHeaders } from "./answer/later-headers.js";
import { logForbidden } from "./answer/log-forbidden.js";
import { type Api, api, type Exchange } from "./api.js";
import { appPaths } from "./app-routes/paths.js";
import { type AppRouteLocals, appRoutes } from "./app-routes/routes.js";
import { headProblem } from "./connections/head.js";
import type { ConnectionLimits } from "./connections/limits.js";
import { pagesOf } from "./cors.js";
import { newAtOnce } from "./limits/at-once.js";
import { type Judge, type Limiter, newJudge, newLimiter } from "./limits/limiter.js";
import { splitUrl } from "./request/url.js";
import type { Gate } from "./route/gate.js";
import type { Route } from "./route/route.js";
import { healthPaths, requestTrace, type Watcher } from "./trace.js";

export interface HttpParts {
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly gate: Gate;
  /** The app's router, mounted under `/api`. */
  readonly appRouter: Router | null;
  /** Returns `response.locals` for app routes. */
  readonly localsOf: (caller: Caller | null, request: RequestState) => AppRouteLocals;
  readonly watcher?: Watcher;
  /** Counts requests for rate limits; by default in this process. */
  readonly judge?: Judge;
  /** Connection limits; by default those of every server. */
  readonly limits?: Partial<ConnectionLimits>;
}

/**
 * The Express app around the routes, created on first use: Express takes a tenth of the startup time, and most apps
 * mount nothing.
 */
export interface OuterExpress {
  /** Returns the app. In other servers, such as those of a test library, it mounts the routes at the first request. */
  app(): Express;
  /**
   * Mounts the routes last and only once, so that middleware mounted before runs for every route. Middleware mounted
   * later never runs.
   */
  mount(): Mounted;
  /** Passes a request without a route to Express; false if the app does not use it. */
  pass(exchange: Exchange): boolean;
}

export interface Mounted {
  readonly answer: Api;
  readonly limiter: Limiter;
  /** Whether no app middleware runs before the routes. */
  readonly isPlain: boolean;
}

export function newOuterExpress(parts: HttpParts): OuterExpress {
  const { services, routes, gate, appRouter, localsOf, judge = newJudge() } = parts;
  const limiter = newLimiter(services, judge);
  const door = { gate, limiter, atOnce: newAtOnce(services.config.limits.perTokenAtOnce) };
  let made: Express | null = null;
  let mounted: Mounted | null = null;

  function app(): Express {
    if (made !== null) return made;
    made = newExpress(parts, mount);
    if (mounted !== null) mountIn(made, mounted.answer);
    return made;
  }

  function mount(): Mounted {
    if (mounted !== null) return mounted;
    const { corsOrigins } = services.config.server;
    if (appRouter !== null || gate.readsExpress === true || corsOrigins.length > 0) app();
    // The first layer belongs to the package.
    const isPlain = made === null || (made.router.stack.length === 1 && gate.readsExpress !== true);
    const own = appRouter === null ? undefined : appPaths(appRouter, routes).literal;
    mounted = { answer: api({ routes, own }, services, door), limiter, isPlain };
    if (made !== null) mountIn(made, mounted.answer);
    return mounted;
  }

  function mountIn(express: Express, answer: Api): void {
    express.use((request, response, next) => {
      answer({ request, response, state: stateOf(request) }, next);
    });
    if (appRouter !== null) {
      express.use("/api", appRoutes(appRouter, door, { services, localsOf, stateOf }));
    }
    express.use(() => refuse("NOT_FOUND"));
    // biome-ignore lint/complexity/useMaxParams: Express recognizes a handler of errors by its four parameters
    const onError: ErrorRequestHandler = (error, request, response, _next) => {
      const log = newRequestLog(services.log, stateOf(request).fields);
      const { config } = services;
      logForbidden({ config, log }, { method: request.method, url: request.originalUrl }, error);
      sendError(response, error, log);
    };
    express.use(onError);
  }

  return {
    app,
    mount,
    pass: (exchange) => {
      const express = made;
      if (express === null) return false;
      inExpress(exchange, () => express(exchange.request, exchange.response));
      return true;
    },
  };
}

const require = createRequire(import.meta.url);

/** Creates an Express app without the routes, so that app code can mount middleware before them. */
function newExpress(parts: HttpParts, mount: () => Mounted): Express {
  const { services } = parts;
  const app = (require("express") as typeof express)();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("case sensitive routing", true);
  app.set("strict routing", true);
  app.set("trust proxy", services.config.server.trustProxy);
  // Used by the dashboard's handler, which can also be mounted in other servers.
  app.set("service config", services.config);
  app.use(answerOthers(parts, mount));
  const allowPages = pagesOf(parts);
  if (allowPages !== null) app.use(allowPages);
  return app;
}

/** The states of requests passed to Express, which passes on only the request. */
const states = new WeakMap<IncomingMessage, RequestState>();

function stateOf(request: IncomingMessage): RequestState {
  const state = states.get(request);
  if (state === undefined) throw new Error("The request has not been traced");
  return state;
}

/** Runs Express with the app's middleware, then the work. */
function inExpress({ request, response, state }: Exchange, work: () => void): void {
  setLaterHeaders(response);
  states.set(request, state);
  inScope({ request: state, caller: null, chain: [], holder: () => null }, work);
}

/** Passes on requests of our own server, which have an id; assigns one to requests of other servers. */
function answerOthers(parts: HttpParts, mount: () => Mounted): RequestHandler {
  const trace = requestTrace(parts);
  const health = healthPaths(parts.routes);
  return (request, response, next) => {
    if (states.has(request)) {
      next();
      return;
    }
    const { limiter } = mount();
    const exchange = { request, response, state: trace(request, response) };
    const log = newRequestLog(parts.services.log, exchange.state.fields);
    const problem = headProblem(request);
    if (problem === null) {
      const isHealth = health.has(splitUrl(request.url).path);
      const judged = async () => (isHealth ? undefined : limiter.ofClient?.(request, response));
      judged().then(
        () => inExpress(exchange, next),
        (error: unknown) => sendError(response, error, log),
      );
    } else
      send(response, { status: problem, json: JSON.stringify({ error: STATUS_CODES[problem] }) });
  };
}
