import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import cors from "cors";
import express, { type ErrorRequestHandler, type Express, type Router } from "express";
import { Refusal, refuse } from "../errors/index.js";
import type { Caller, Services } from "../own-code/index.js";
import { send, sendError } from "./answer/answer.js";
import { logForbidden } from "./answer/log-forbidden.js";
import { type Api, api } from "./api.js";
import { ignoreUpgrades } from "./connections/broken.js";
import { headProblem } from "./connections/head.js";
import { type ConnectionLimits, limitsBehind } from "./connections/limits.js";
import { newListener } from "./listener.js";
import { ownPaths } from "./own-routes/paths.js";
import { isEmpty } from "./own-routes/router-stack.js";
import { type OwnRouteLocals, ownRoutes } from "./own-routes/routes.js";
import type { Gate } from "./route/gate.js";
import type { Route } from "./route/route.js";
import { requestTrace } from "./trace.js";

export interface HttpParts {
  readonly services: Services;
  readonly routes: readonly Route[];
  readonly gate: Gate;
  /** The app's own routes, under `/api`. */
  readonly ownRouter: Router | null;
  /** What own routes find in `response.locals`. */
  readonly localsOf: (caller: Caller | null) => OwnRouteLocals;
  /** Left out: those of every server. */
  readonly limits?: Partial<ConnectionLimits>;
}

/** An Express app without the routes, so that the app's own code can mount what runs before them. */
export function newExpress({ services }: HttpParts): Express {
  const app = express();
  app.disable("x-powered-by");
  app.set("etag", false);
  app.set("case sensitive routing", true);
  app.set("strict routing", true);
  app.set("trust proxy", services.config.server.trustProxy);
  // For the dashboard's handler, which is mounted in other servers too.
  app.set("service config", services.config);
  const { corsOrigins } = services.config.server;
  if (corsOrigins.length > 0) app.use(cors(corsOptions(corsOrigins)));
  return app;
}

/**
 * The app's HTTP server, not listening. The routes are mounted last, so that whatever the app's own code mounted
 * in the Express app runs for every route; where nothing is mounted, a request that has a route goes to it
 * directly, bypassing Express (measured: Express takes half of a simple request's time).
 */
export function newServer(app: Express, parts: HttpParts): Server {
  const { services, routes, gate, ownRouter } = parts;
  const isPlain = isEmpty(app.router) && gate.readsExpress !== true;
  const own = ownRouter === null ? undefined : ownPaths(ownRouter, routes).literal;
  const answer = api(routes, services, gate, own);
  mountRoutes(app, answer, parts);
  const trace = requestTrace(services.log);
  const limits = { ...limitsBehind(services.config.server.trustProxy), ...parts.limits };
  const { server, connections } = newListener({ serve, turnAway }, limits);
  ignoreUpgrades(server, connections);
  return server;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    trace(request, response);
    const problem = headProblem(request);
    if (problem !== null) {
      const json = JSON.stringify({ error: STATUS_CODES[problem] });
      send(response, { status: problem, json, headers: { connection: "close" } });
    } else if (isPlain) answer(request, response, () => app(request, response));
    else app(request, response);
  }

  function turnAway(request: IncomingMessage, response: ServerResponse): void {
    trace(request, response);
    sendError(response, new Refusal("UNAVAILABLE", { retryAfter: 1 }), services.log);
  }
}

function mountRoutes(app: Express, answer: Api, parts: HttpParts): void {
  const { services, gate, ownRouter, localsOf } = parts;
  app.use(answer);
  if (ownRouter !== null) app.use("/api", ownRoutes(ownRouter, gate, localsOf));
  app.use(() => refuse("NOT_FOUND"));
  const onError: ErrorRequestHandler = (error, request, response, _next) => {
    logForbidden(services, { method: request.method, url: request.originalUrl }, error);
    sendError(response, error, services.log);
  };
  app.use(onError);
}

function corsOptions(origins: readonly string[]): cors.CorsOptions {
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
    ],
    exposedHeaders: [
      "ETag",
      "Location",
      "Retry-After",
      "X-Request-Id",
      "Idempotency-Replayed",
      "RateLimit",
      "RateLimit-Policy",
    ],
    maxAge: 600,
    preflightContinue: true,
  };
}
