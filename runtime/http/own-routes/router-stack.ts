import type { Router } from "express";

// Only the router's stack knows which handlers a path has: the public `listRoutes()` lists neither
// handlers nor middleware. What follows was read in router 2.3, the router of Express 5.3; the tests of own
// routes fail with a later release until it is read again.

/** The handlers of a path. */
export interface Target {
  readonly routes: readonly OwnRoute[];
  /** Whether there is something other than routes, such as a folder of files. */
  readonly isMounted: boolean;
  /** False where a path that matches is written in other capitals: Express's routers take them for the same. */
  readonly isExact: boolean;
}

/** What is mounted for a path, also in routers within the router. */
export function findTarget(router: Router, path: string): Target {
  return targetIn(router.stack as unknown as readonly Layer[], path);
}

function targetIn(stack: readonly Layer[], path: string): Target {
  const routes: OwnRoute[] = [];
  let isMounted = false;
  let isExact = true;
  for (const layer of stack) {
    const matched = layer.match(path);
    if (matched === false) continue;
    const { route, handle, slash } = layer;
    isExact &&= isAsWritten(layer.rawPath, matched.path);
    if (route !== undefined) {
      routes.push(route);
    } else if (handle.stack !== undefined) {
      const inner = targetIn(handle.stack, path.slice(matched.path.length) || "/");
      routes.push(...inner.routes);
      isMounted ||= inner.isMounted;
      isExact &&= inner.isExact;
    } else {
      isMounted ||= !slash;
    }
  }
  return { routes, isMounted, isExact };
}

/** Whether the literal segments of a pattern are in the path with the same capitals. */
function isAsWritten(written: WrittenPath | readonly WrittenPath[], path: string): boolean {
  return [written].flat().some((pattern) => {
    if (typeof pattern !== "string" || /[*{}\\]/.test(pattern)) return true;
    const segments = path.split("/");
    return pattern
      .split("/")
      .every((segment, at) => segment.includes(":") || segment === (segments[at] ?? ""));
  });
}

export interface OwnRoute {
  /** `method` is undefined for a handler of every method. */
  readonly stack: readonly { readonly method?: string; readonly handle: unknown }[];
}

type WrittenPath = string | RegExp;

/** The parts of a layer that say which handlers a path has. */
interface Layer {
  /** The part of the path that matched, or false. */
  match(path: string): { readonly path: string } | false;
  /** The patterns, as they were written. */
  readonly rawPath: WrittenPath | readonly WrittenPath[];
  readonly route?: OwnRoute;
  /** Has a stack where it is a router. */
  readonly handle: { readonly stack?: readonly Layer[] };
  /** True for middleware of every path. */
  readonly slash: boolean;
}
