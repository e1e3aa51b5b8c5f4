import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from "node:http";
import { Refusal } from "../errors/index.js";
import { type RequestState, startRequest } from "../request/index.js";
import { send, sendError } from "./answer/answer.js";
import { ignoreUpgrades } from "./connections/broken.js";
import { headProblem } from "./connections/head.js";
import { limitsBehind } from "./connections/limits.js";
import type { HttpParts, OuterExpress } from "./express.js";
import type { Limiter } from "./limits/limiter.js";
import { newListener } from "./listener.js";
import { splitUrl } from "./request/url.js";
import { healthPaths, requestTrace } from "./trace.js";

/**
 * The app's HTTP server, not listening. The routes are mounted last, so that whatever the app's own code mounted
 * in the Express app runs for every route; where nothing is mounted, a request that has a route goes to it
 * directly, bypassing Express (measured: Express takes half of a simple request's time).
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
    else passIfAllowed(limiter.ofClient, request, response, state);
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
    const isRead = splitUrl(request.url ?? "").path.startsWith("/");
    if (isRead && outer.pass(request, response, state)) return;
    sendError(response, new Refusal("NOT_FOUND"), services.log);
  }

  function pass(request: IncomingMessage, response: ServerResponse, state: RequestState): void {
    if (isPlain) toRoutes(request, response, state);
    else toExpress(request, response, state);
  }

  function passIfAllowed(
    judge: NonNullable<Limiter["ofClient"]>,
    request: IncomingMessage,
    response: ServerResponse,
    state: RequestState,
  ): void {
    const refuse = (error: unknown) => sendError(response, error, services.log);
    const go = () => pass(request, response, state);
    let judged: Promise<void> | void;
    try {
      judged = judge(request, response);
    } catch (error) {
      refuse(error);
      return;
    }
    if (judged === undefined) go();
    else judged.then(() => startRequest(state, go), refuse);
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
