import type { Request, RequestHandler, Response, Router } from "express";
import { refuse } from "../errors/index.js";
import { acceptsJson } from "./api.js";
import type { Caller } from "./caller.js";
import { admit as admitCaller, type Gate } from "./gate.js";

/**
 * Marks a route of the operator's own as needing no token:
 * `routes.get("/hello", publicRoute, handler)`.
 */
export const publicRoute: RequestHandler = (_request, _response, next) => next();

/** What an operator's handler finds in `response.locals`. */
export interface OwnRouteLocals {
  /** Null on a public route. */
  caller: Caller | null;
}

/**
 * The operator's Express router behind the same token check as every resource. A path that none of
 * its routes has is 404 with or without a token.
 */
export function ownRoutes(router: Router, gate: Gate): RequestHandler {
  return (request, response, next) => {
    const layers = layersOf(router).filter((layer) => layer.match(request.path));
    if (layers.length === 0) {
      next();
      return;
    }
    admit(request, response, isPublic(layers, request.method)).then(
      () => router(request, response, next),
      (error: unknown) => next(error),
    );
  };

  async function admit(request: Request, response: Response, open: boolean): Promise<void> {
    if (!acceptsJson(request)) refuse("NOT_ACCEPTABLE");
    const caller = open ? null : admitCaller(await gate.identify(request), "signed-in");
    const locals: OwnRouteLocals = { caller };
    Object.assign(response.locals, locals);
  }
}

/** True when every handler of a path that answers the method is marked public. */
function isPublic(layers: readonly Layer[], method: string): boolean {
  const answering = layers.filter(({ route }) => route === undefined || answers(route, method));
  return (
    answering.length > 0 &&
    answering.every(({ route }) => route?.stack.some(({ handle }) => handle === publicRoute))
  );
}

function answers(route: NonNullable<Layer["route"]>, method: string): boolean {
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  return route.stack.some((layer) => layer.method === name || layer.method === undefined);
}

/** The part of Express's router that says which handlers a path leads to; not in its types. */
interface Layer {
  match(path: string): boolean;
  readonly route?: {
    readonly stack: readonly { readonly method?: string; readonly handle: unknown }[];
  };
}

function layersOf(router: Router): readonly Layer[] {
  return router.stack as unknown as readonly Layer[];
}
