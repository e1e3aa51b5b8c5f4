import type { IncomingMessage, ServerResponse } from "node:http";
import type { Request, RequestHandler, Router } from "express";
import { refuse } from "../../errors/index.js";
import { type Caller, inScope, type Services, servicesFor } from "../../own-code/index.js";
import { noteAccount, type RequestState } from "../../request/index.js";
import { send } from "../answer/answer.js";
import { setLaterHeaders } from "../answer/later-headers.js";
import { attachWork } from "../connections/in-flight.js";
import type { Door } from "../limits/door.js";
import { withoutLastSlash } from "../request/url.js";
import { admit as admitCaller } from "../route/access-rule.js";
import { allowed, pathNames } from "../route/table.js";
import { plainPathsOf } from "./paths.js";
import { refusedInput } from "./refused-input.js";
import { type AppRoute, findTarget, type Target } from "./router-stack.js";

/**
 * Marks an app route that needs no token: `routes.get("/hello", publicRoute, handler)`.
 *
 * @example
 * ```ts
 * import { Router } from "express";
 * import { publicRoute } from "service-runtime/http";
 * import { createApp } from "./generated/app.js";
 *
 * const routes = Router();
 * routes.get("/version", publicRoute, (_request, response) => response.json({ version: "1.4.0" }));
 *
 * const app = await createApp({ routes });
 * await app.listen();
 * ```
 */
export const publicRoute: RequestHandler = (_request, _response, next) => next();

/**
 * Marks an app route that works with and without a token: `response.locals.caller` is null without one. An invalid
 * token is 401.
 *
 * @example
 * ```ts
 * import { Router } from "express";
 * import { optionalToken } from "service-runtime/http";
 * import { createApp } from "./generated/app.js";
 *
 * const routes = Router();
 * routes.get("/greeting", optionalToken, (_request, response) => {
 *   response.json({ signedIn: response.locals.caller !== null });
 * });
 *
 * const app = await createApp({ routes });
 * await app.listen();
 * ```
 */
export const optionalToken: RequestHandler = (_request, _response, next) => next();

/**
 * `response.locals` in handlers of app routes.
 *
 * @example
 * ```ts
 * import { Router } from "express";
 * import { createApp } from "./generated/app.js";
 *
 * const routes = Router();
 * routes.get("/mine", async (_request, response) => {
 *   const { caller, resources } = response.locals;
 *   const where = { assigneeId: caller?.accountId ?? null };
 *   response.json(await resources.as(caller).tasks.list({ where }));
 * });
 *
 * const app = await createApp({ routes });
 * await app.listen();
 * ```
 */
export interface AppRouteLocals<Resources = unknown> {
  /** Null on public routes, and without a token if it is optional. */
  caller: Caller | null;
  /** The resources without access rules and policies; `resources.as(caller)` applies them. */
  resources: Resources;
  /** The request's `traceparent` header (W3C Trace Context); null if it is missing or malformed. */
  traceparent: string | null;
}

/** @deprecated The former name of `AppRouteLocals`, until 0.7. */
export type OwnRouteLocals<Resources = unknown> = AppRouteLocals<Resources>;

interface AppRouteParts {
  readonly services: Services;
  readonly localsOf: (caller: Caller | null, request: RequestState) => AppRouteLocals;
  readonly stateOf: (request: IncomingMessage) => RequestState;
}

/**
 * Wraps the app's Express router with the refusals that every resource has: path 404, method 405, token 401. A path
 * exists if something is mounted at it; middleware for every path does not count. Handlers may respond with any media
 * type, so they check `Accept` themselves.
 */
export function appRoutes(
  router: Router,
  { gate, limiter, atOnce }: Door,
  { services: all, localsOf, stateOf }: AppRouteParts,
): RequestHandler {
  const nameOf = pathNames(plainPathsOf(router));
  return (request, response, next) => {
    const target = findTarget(router, request.path);
    const isThere = target.routes.length > 0 || target.isMounted;
    // A different spelling of the path is not found, because a proxy's rule for the path would not cover it.
    if (!isThere || !target.isExact) {
      next();
      return;
    }
    const state = stateOf(request);
    state.route = nameOf(withoutLastSlash(request.path));
    if (request.method === "OPTIONS" && !names(target, "options")) {
      send(response, { status: 204, json: null, headers: { allow: allowOf(target) } });
      return;
    }
    const work = async () => {
      // The client may have disconnected while the request was queued.
      if (response.destroyed) return;
      const begun = beginningOf(response);
      try {
        const services = servicesFor(all, state);
        const caller = await admit({ request, services }, response, target);
        noteAccount(state, caller);
        Object.assign(response.locals, localsOf(caller, state));
        const scope = { request: state, caller, chain: [], holder: () => null };
        const done = (error?: unknown) => next(refusedInput(error));
        inScope(scope, () => router(request, response, done));
      } catch (error) {
        next(error);
      }
      await begun;
    };
    attachWork(response, atOnce.run(request, work).catch(next));
  };

  async function admit(
    { request, services }: { readonly request: Request; readonly services: Services },
    response: ServerResponse,
    target: Target,
  ): Promise<Caller | null> {
    const method = request.method === "HEAD" ? "get" : request.method.toLowerCase();
    const answering = target.routes.filter((route) => handlersOf(route, method).length > 0);
    if (answering.length === 0 && !target.isMounted) {
      refuse("METHOD_NOT_ALLOWED", { headers: { allow: allowOf(target) } });
    }
    // Every route must have the mark, because only running them shows which one responds.
    const areAll = (mark: RequestHandler) =>
      answering.length > 0 && answering.every((route) => isMarked(route, method, mark));
    if (areAll(publicRoute)) return null;
    const found = await gate.identify({ request, services });
    const isVisitor = found === null && request.headers.authorization === undefined;
    if (isVisitor && areAll(optionalToken)) return null;
    const caller = admitCaller(found, "signed-in");
    await limiter.ofToken(request, response, caller);
    setLaterHeaders(response);
    return caller;
  }
}

/** Resolves when the response begins to be sent, or the client has disconnected: a stream may last for any time. */
function beginningOf(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const { writeHead } = response;
    response.writeHead = ((...args: Parameters<typeof writeHead>) => {
      resolve();
      return Reflect.apply(writeHead, response, args);
    }) as typeof writeHead;
    response.once("close", resolve);
  });
}

function handlersOf({ stack }: AppRoute, method: string): AppRoute["stack"] {
  return stack.filter((handler) => handler.method === method || handler.method === undefined);
}

/** Whether the route has this mark for the method. */
function isMarked(route: AppRoute, method: string, mark: RequestHandler): boolean {
  return handlersOf(route, method).some(({ handle }) => handle === mark);
}

function names({ routes }: Target, method: string): boolean {
  return routes.some(({ stack }) => stack.some((handler) => handler.method === method));
}

function allowOf({ routes, isMounted }: Target): string {
  const named = routes.flatMap(({ stack }) => stack.map(({ method }) => method));
  if (isMounted || named.includes(undefined)) return allowed(everyMethod);
  return allowed(named.flatMap((method) => method?.toUpperCase() ?? []));
}

const everyMethod = ["GET", "POST", "PUT", "PATCH", "DELETE"];
