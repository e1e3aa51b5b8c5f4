import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { Refusal } from "../errors/index.js";
import { newRequestLog } from "../own-code/index.js";
import { send, sendError } from "./answer/answer.js";
import type { Exchange } from "./api.js";
import { ignoreUpgrades } from "./connections/broken.js";
import { headProblem } from "./connections/head.js";
import { limitsBehind } from "./connections/limits.js";
import type { HttpParts, OuterExpress } from "./express.js";
import type { Limiter } from "./limits/limiter.js";
import { newListener } from "./listener.js";
import { splitUrl } from "./request/url.js";
import { healthPaths, requestTrace } from "./trace.js";

/**
 * Creates the app's HTTP server without listening. The routes are mounted last, so that the app's middleware runs for
 * every route. Without middleware, requests bypass Express, which takes half of a simple request's time (measured).
 */
export function newServer(outer: OuterExpress, parts: HttpParts): Server {
  const { services } = parts;
  const { answer, isPlain, limiter } = outer.mount();
  const trace = requestTrace(parts);
  const limits = { ...limitsBehind(services.config.server.trustProxy), ...parts.limits };
  const { server, connections } = newListener({ serve, turnAway }, limits);
  const health = healthPaths(parts.routes);
  ignoreUpgrades(server, connections);
  return server;

  function serve(request: IncomingMessage, response: ServerResponse): void {
    const exchange = { request, response, state: trace(request, response) };
    const problem = headProblem(request);
    if (problem !== null) {
      const json = JSON.stringify({ error: STATUS_CODES[problem] });
      send(response, { status: problem, json, headers: { connection: "close" } });
    } else if (isHealth(request)) toRoutes(exchange);
    else if (limiter.ofClient === null) pass(exchange);
    else passIfAllowed(limiter.ofClient, exchange);
  }

  function toRoutes(exchange: Exchange): void {
    answer(exchange, () => toExpress(exchange));
  }

  function toExpress(exchange: Exchange): void {
    // Express would also accept `ws://host/path`.
    const isRead = splitUrl(exchange.request.url ?? "").path.startsWith("/");
    if (isRead && outer.pass(exchange)) return;
    refuse(exchange, new Refusal("NOT_FOUND"));
  }

  function pass(exchange: Exchange): void {
    if (isPlain) toRoutes(exchange);
    else toExpress(exchange);
  }

  function passIfAllowed(judge: NonNullable<Limiter["ofClient"]>, exchange: Exchange): void {
    const { request, response } = exchange;
    let judged: Promise<void> | void;
    try {
      judged = judge(request, response);
    } catch (error) {
      refuse(exchange, error);
      return;
    }
    if (judged === undefined) pass(exchange);
    else
      judged.then(
        () => pass(exchange),
        (error: unknown) => refuse(exchange, error),
      );
  }

  function refuse({ response, state }: Exchange, error: unknown): void {
    sendError(response, error, newRequestLog(services.log, state.fields));
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
