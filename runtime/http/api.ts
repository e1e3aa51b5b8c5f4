import type { IncomingMessage, ServerResponse } from "node:http";
import type { QueryMethod } from "../db/index.js";
import { Refusal, refuse } from "../errors/index.js";
import type { Services } from "../own-code/index.js";
import { send, sendError, sendLong, sendStream } from "./answer/answer.js";
import { logForbidden } from "./answer/log-forbidden.js";
import { attachWork } from "./connections/in-flight.js";
import { acceptsJson } from "./request/accept.js";
import { splitUrl } from "./request/url.js";
import { admit, answerRead, type Gate } from "./route/gate.js";
import type {
  Answer,
  CallersRead,
  Context,
  PlannedRead,
  Read,
  ReadRoute,
  Route,
} from "./route/route.js";
import { noParams, type RouteMatch, routeTable } from "./route/table.js";

/** Answers a request below `/api`, or passes it on when no route has its path. */
export type Api = (request: IncomingMessage, response: ServerResponse, pass: () => void) => void;

const prefix = "/api";
/** Bytes. */
const maxQueryLength = 8192;

/** The methods by which those who ask the same at once share one answer. */
const sharedMethods: ReadonlySet<QueryMethod> = new Set(["find", "search", "aggregate"]);

const nothing: ReadonlySet<string> = new Set();

/**
 * All generated routes as one handler. A path in `own` is passed on where only a parameter matches it.
 * Refusals come in the order that `docs/http-api.md` promises: path 404, method 405, `Accept` 406, token 401,
 * rule 403; then those of the route.
 */
export function api(
  routes: readonly Route[],
  services: Services,
  gate: Gate,
  own: ReadonlySet<string> = nothing,
): Api {
  const table = routeTable(routes);
  /** The routes whose last caller had a role: asking them as one without would be in vain. */
  const askedByRole = new WeakSet<ReadRoute>();
  return (request, response, pass) => {
    const { path, query } = splitUrl(request.url ?? "/");
    const below = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : "";
    const match = table.find(below);
    if (match === undefined || (match.params !== noParams && own.has(below))) {
      pass();
      return;
    }
    const work = answer(request, match, query).then(
      (answered): Promise<void> | void => {
        const { stream, long } = answered;
        // Making a long text still counts as work; what is being sent ends with its connection.
        if (long !== undefined) return sendLong(response, { ...answered, long }, services.log);
        if (stream !== undefined) void sendStream(response, { ...answered, stream }, services.log);
        else send(response, answered);
      },
      (error: unknown) => {
        logForbidden(services, request, error);
        sendError(response, error, services.log);
      },
    );
    attachWork(response, work);
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
    const isJson = "read" in route || route.accept === undefined;
    if (isJson && !acceptsJson(request)) refuse("NOT_ACCEPTABLE");
    if (query.length > maxQueryLength) refuse("URI_TOO_LONG");
    const context = { request, params, query, caller: null, services };
    if ("read" in route) return answerGet(context, route);
    if (route.access === "public") return route.handle(context);
    const caller = admit(await gate.identify(request), route.access);
    return route.handle({ ...context, caller });
  }

  async function answerGet(context: Context, route: ReadRoute): Promise<Answer> {
    const { read, access } = route;
    const { request } = context;
    const planned = plan(read, context);
    if (planned instanceof Refusal) {
      // A caller without access is not told what is wrong with the request.
      admit(await gate.identify(request), access);
      throw planned;
    }
    const isOfCaller = "prepare" in planned;
    const ofNoRole = isOfCaller && !askedByRole.has(route) ? planned.ofNoRole : undefined;
    const sent = isOfCaller ? ofNoRole : planned;
    // Shared answers are the same for everybody, without the caller's session.
    if (sent === undefined || sharedMethods.has(sent.via)) {
      const caller = admit(await gate.identify(request), access);
      if (caller.role === null) askedByRole.delete(route);
      return answerRead(planned, { ...context, caller });
    }
    const result = await gate.ask(request, sent);
    const caller = admit(result?.caller ?? null, access);
    const asked = { ...context, caller };
    if (!isOfCaller || caller.role === null) return sent.answer(result?.row ?? {}, asked);
    askedByRole.add(route);
    return answerRead(planned, asked);
  }
}

function plan(read: Read, context: Context): PlannedRead | CallersRead | Refusal {
  try {
    return read(context);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}
