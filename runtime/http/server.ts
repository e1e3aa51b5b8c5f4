import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { finished } from "node:stream";
import cors from "cors";
import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type Router,
} from "express";
import { Refusal, refuse } from "../errors/index.js";
import type { Caller, Services } from "../own-code/index.js";
import { inRequest, type RequestState, startRequest } from "../request/index.js";
import { send, sendError } from "./answer/answer.js";
import { logForbidden } from "./answer/log-forbidden.js";
import { type Api, api } from "./api.js";
import { ignoreUpgrades } from "./connections/broken.js";
import { headProblem } from "./connections/head.js";
import { type ConnectionLimits, limitsBehind } from "./connections/limits.js";
import { newAtOnce } from "./limits/at-once.js";
import { type Judge, type Limiter, newJudge, newLimiter } from "./limits/limiter.js";
import { newListener } from "./listener.js";
import { ownPaths } from "./own-routes/paths.js";
import { type OwnRouteLocals, ownRoutes } from "./own-routes/routes.js";
import { splitUrl } from "./request/url.js";
import type { Gate } from "./route/gate.js";
import type { Route } from "./route/route.js";
import { healthPaths, requestTrace, type Watcher } from "./trace.js";

export interface HttpParts {
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly gate: Gate;
  /** The app's own routes, under `/api`. */
  readonly ownRouter: Router | null;
  /** What own routes find in `response.locals`. */
  readonly localsOf: (caller: Caller | null) => OwnRouteLocals;
  readonly watcher?: Watcher;
  /** Counts requests for the limits; left out: in this process. */
  readonly judge?: Judge;
  /** Left out: those of every server. */
  readonly limits?: Partial<ConnectionLimits>;
}

/**
 * An Express app without the routes, so that the app's own code can mount what runs before them. It answers other
 * servers too, such as those of a test library: then the routes are mounted at the first request.
 */
export function newExpress(parts: HttpParts): Express {
  const { services } = parts;
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("case sensitive routing", true);
  app.set("strict routing", true);
  app.set("trust proxy", services.config.server.trustProxy);
  // For the dashboard's handler, which is mounted in other servers too.
  app.set("service config", services.config);
  app.use(answerOthers(app, parts));
  const { corsOrigins, mcp } = services.config.server;
  if (corsOrigins.length > 0) {
    const hasStream = parts.routes.some((one) => "accept" in one && one.accept === "events");
    const headers = [...(hasStream ? ofStreams : []), ...(mcp === false ? [] : ofAgents)];
    app.use(cors(corsOptions(corsOrigins, headers)));
  }
  return app;
}

/**
 * The app's HTTP server, not listening. The routes are mounted last, so that whatever the app's own code mounted
 * in the Express app runs for every route; where nothing is mounted, a request that has a route goes to it
 * directly, bypassing Express (measured: Express takes half of a simple request's time).
 */
export function newServer(app: Express, parts: HttpParts): Server {
  const { services } = parts;
  const { answer, isPlain, limiter } = mountRoutes(app, parts);
  const trace = requestTrace(parts);
  const limits = { ...limitsBehind(services.config.server.trustProxy), ...parts.limits };
  const { server, connections } = newListener({ serve, turnAway }, limits);
  const health = healthPaths(parts.routes);
  ignoreUpgrades(server, connections);
  return server;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const state = trace(request, response);
    startRequest(state, () => serveTraced(request, response, state));
  }

  function serveTraced(
    request: IncomingMessage,
    response: ServerResponse,
    state: RequestState,
  ): void {
    const problem = headProblem(request);
    if (problem !== null) {
      const json = JSON.stringify({ error: STATUS_CODES[problem] });
      send(response, { status: problem, json, headers: { connection: "close" } });
    } else if (isHealth(request)) toRoutes(request, response, state);
    else if (limiter.ofClient === null) pass(request, response, state);
    else void passIfAllowed(limiter.ofClient, request, response, state);
  }

  function toRoutes(request: IncomingMessage, response: ServerResponse, state: RequestState): void {
    answer(request, response, () => toExpress(request, response, state));
  }

  function toExpress(
    request: IncomingMessage,
    response: ServerResponse,
    state: RequestState,
  ): void {
    // Express would read `ws://host/path`, too.
    if (splitUrl(request.url ?? "").path.startsWith("/")) {
      untilClosed(state, response, () => app(request, response));
    } else sendError(response, new Refusal("NOT_FOUND"), services.log);
  }

  function pass(request: IncomingMessage, response: ServerResponse, state: RequestState): void {
    if (isPlain) toRoutes(request, response, state);
    else toExpress(request, response, state);
  }

  async function passIfAllowed(
    judge: NonNullable<Limiter["ofClient"]>,
    request: IncomingMessage,
    response: ServerResponse,
    state: RequestState,
  ): Promise<void> {
    try {
      await judge(request, response);
    } catch (error) {
      sendError(response, error, services.log);
      return;
    }
    startRequest(state, () => pass(request, response, state));
  }

  function isHealth({ url = "" }: IncomingMessage): boolean {
    return health.has(splitUrl(url).path);
  }

  function turnAway(request: IncomingMessage, response: ServerResponse): void {
    if (isHealth(request)) {
      serve(request, response);
      return;
    }
    trace(request, response);
    sendError(response, new Refusal("UNAVAILABLE", { retryAfter: 1 }), services.log);
  }
}

/** Runs what answers the request as a part of it until the answer is sent. */
function untilClosed(state: RequestState, response: ServerResponse, work: () => void): void {
  void inRequest(state, () => {
    work();
    return new Promise<void>((resolve) => finished(response, () => resolve()));
  });
}

/** Passes on what our own server sends, which has given it an id; does the same for requests of other servers. */
function answerOthers(app: Express, parts: HttpParts): RequestHandler {
  const trace = requestTrace(parts);
  const health = healthPaths(parts.routes);
  return (request, response, next) => {
    if (response.hasHeader("x-request-id")) {
      next();
      return;
    }
    const { limiter } = mountRoutes(app, parts);
    const state = trace(request, response);
    const problem = headProblem(request);
    if (problem === null) {
      const isHealth = health.has(splitUrl(request.url).path);
      const judged = async () => (isHealth ? undefined : limiter.ofClient?.(request, response));
      judged().then(
        () => untilClosed(state, response, next),
        (error: unknown) => sendError(response, error, parts.services.log),
      );
    } else
      send(response, { status: problem, json: JSON.stringify({ error: STATUS_CODES[problem] }) });
  };
}

interface Mounted {
  readonly answer: Api;
  readonly limiter: Limiter;
  /** Whether nothing of the app's own runs before the routes. */
  readonly isPlain: boolean;
}

const mounted = new WeakMap<Express, Mounted>();

/** Mounts the routes in the Express app, once. */
function mountRoutes(app: Express, parts: HttpParts): Mounted {
  const former = mounted.get(app);
  if (former !== undefined) return former;
  const { services, routes, gate, ownRouter, localsOf, judge = newJudge() } = parts;
  // The first layer is ours.
  const isPlain = app.router.stack.length === 1 && gate.readsExpress !== true;
  const own = ownRouter === null ? undefined : ownPaths(ownRouter, routes).literal;
  const limiter = newLimiter(services, judge);
  const door = { gate, limiter, atOnce: newAtOnce(services.config.limits.perTokenAtOnce) };
  const answer = api(routes, services, door, own);
  const done = { answer, isPlain, limiter };
  mounted.set(app, done);
  app.use(answer);
  if (ownRouter !== null) app.use("/api", ownRoutes(ownRouter, door, localsOf));
  app.use(() => refuse("NOT_FOUND"));
  const onError: ErrorRequestHandler = (error, request, response, _next) => {
    logForbidden(services, { method: request.method, url: request.originalUrl }, error);
    sendError(response, error, services.log);
  };
  app.use(onError);
  return done;
}

/** What a reader of a stream sends that comes back. */
const ofStreams = ["Last-Event-ID"];

/** Headers of the Model Context Protocol. */
const ofAgents = ["MCP-Protocol-Version", "Mcp-Method", "Mcp-Name"];

function corsOptions(origins: readonly string[], headers: readonly string[]): cors.CorsOptions {
  return {
    origin: [...origins],
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    allowedHeaders: [
      "Authorization",
      "Content-Type",
      "If-Match",
      "If-None-Match",
      "Idempotency-Key",
      "X-Request-Id",
      "traceparent",
      ...headers,
    ],
    exposedHeaders: [
      "ETag",
      "Location",
      "Retry-After",
      "X-Request-Id",
      "Idempotency-Replayed",
      "RateLimit",
      "RateLimit-Policy",
      "Changes-Position",
    ],
    maxAge: 600,
    preflightContinue: true,
  };
}
