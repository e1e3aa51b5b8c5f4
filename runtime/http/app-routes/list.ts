import type { Router } from "express";
import { pathsOf } from "./paths.js";
import { findTarget } from "./router-stack.js";
import { optionalToken, publicRoute } from "./routes.js";

export interface ListedAppRoute {
  /** `*` for every method. */
  readonly method: string;
  /** The path below `/api`, as in the router. */
  readonly path: string;
  readonly isPublic: boolean;
}

/** Lists the routes of the app's own router and its nested routers. */
export function listAppRoutes(router: Router): readonly ListedAppRoute[] {
  return pathsOf(router).flatMap(({ path, methods }) =>
    named(methods).map((method) => ({ method, path, isPublic: isPublic(router, path, method) })),
  );
}

function isPublic(router: Router, path: string, method: string): boolean {
  const { routes } = findTarget(router, path);
  const answering = routes
    .map(({ stack }) =>
      stack.filter(
        (handler) => handler.method === undefined || handler.method === method.toLowerCase(),
      ),
    )
    .filter((handlers) => handlers.length > 0);
  return (
    answering.length > 0 &&
    answering.every((handlers) =>
      handlers.some(({ handle }) => handle === publicRoute || handle === optionalToken),
    )
  );
}

/** The methods without the `HEAD` implied by `GET`. */
function named(methods: readonly string[]): readonly string[] {
  return methods.includes("GET") ? methods.filter((method) => method !== "HEAD") : methods;
}
