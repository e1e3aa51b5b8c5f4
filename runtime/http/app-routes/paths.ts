import type { Router } from "express";
import type { Route } from "../route/route.js";

/** The paths of app routes, and the app routes that can never be reached. */
export interface AppPaths {
  /** Paths without parameters; at these, an app route wins over a generated route with a parameter. */
  readonly literal: ReadonlySet<string>;
  /** One problem for each app route that collides with a generated route, or can never be reached. */
  readonly problems: readonly PathProblem[];
}

/** The problem, and how to fix it. */
export interface PathProblem {
  readonly message: string;
  readonly hint: string;
}

/** The method of the router that lists routes, since Express 5.3; not yet in `@types/express`. */
interface Listing {
  listRoutes?(): readonly ListedRoute[];
}

interface ListedRoute {
  readonly path: string | RegExp;
  /** Undefined for a router mounted at the path; `*` means every method. */
  readonly methods: readonly string[] | undefined;
  readonly router: Listing | undefined;
}

/** The path and methods of an app route. */
export interface AppRoute {
  readonly path: string;
  readonly methods: readonly string[];
}

/** Compares app routes with the generated ones. */
export function appPaths(router: Router, routes: readonly Route[]): AppPaths {
  const listing = router as Router & Listing;
  if (listing.listRoutes === undefined) {
    const message = "routes: this router comes from an Express version before 5.3";
    const problem = { message, hint: "run: npm install express@^5.3" };
    return { literal: new Set(), problems: [problem] };
  }
  const own = routesOf(listing, "").filter(({ path }) => isPlain(path));
  return {
    literal: new Set(own.map(({ path }) => path).filter((path) => !path.includes(":"))),
    problems: own.flatMap((route) => problemOf(route, routes) ?? []),
  };
}

export function pathsOf(router: Router): readonly AppRoute[] {
  return routesOf(router as Router & Listing, "");
}

/** The paths of app routes that consist of literals and parameters. */
export function plainPathsOf(router: Router): readonly string[] {
  return pathsOf(router)
    .map(({ path }) => path)
    .filter(isPlain);
}

/** The routes with paths as text, including those of nested routers. */
function routesOf(listing: Listing, prefix: string): readonly AppRoute[] {
  return (listing.listRoutes?.() ?? []).flatMap(({ path, methods, router }) => {
    if (typeof path !== "string") return [];
    const whole = prefix + path.replace(/\/$/, "");
    return methods === undefined ? routesOf(router ?? {}, whole) : [{ path: whole, methods }];
  });
}

/** Whether each segment is a literal or one parameter; other patterns match too much to compare. */
function isPlain(path: string): boolean {
  return path.split("/").every((segment) => /^(:\w+|[^:*{}\\()[\]?+!"]*)$/.test(segment));
}

function problemOf({ path, methods }: AppRoute, routes: readonly Route[]): PathProblem | null {
  const over = routes.filter((route) => covers(route.path, path));
  const same = over.find(
    (route) =>
      covers(path, route.path) && methods.some((one) => one === "*" || one === route.method),
  );
  if (same !== undefined) {
    const generated = `${same.method} ${same.path}`;
    return pathProblem(`${same.method} ${path} is already generated as ${generated}`);
  }
  const [first] = path.includes(":") ? over : over.filter((route) => !route.path.includes(":"));
  if (first === undefined || methods.length === 0) return null;
  return pathProblem(
    `${methods[0]} ${path} is never reached, because the generated ${first.path} matches first`,
  );
}

function pathProblem(message: string): PathProblem {
  return { message: `routes: ${message}`, hint: "choose another path" };
}

/** Whether the pattern matches everything that `other` matches; a parameter matches any segment. */
function covers(pattern: string, other: string): boolean {
  const [segments, others] = [pattern.split("/"), other.split("/")];
  return (
    segments.length === others.length &&
    segments.every((segment, at) => segment.startsWith(":") || segment === others[at])
  );
}
