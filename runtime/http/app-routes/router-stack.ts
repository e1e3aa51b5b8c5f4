import type { Router } from "express";

// Only the router's stack knows the handlers of a path: the public `listRoutes()` lists neither handlers nor
// middleware. The code below follows router 2.3, the router of Express 5.3; the tests of app routes fail with a later
// release until it is checked again.

/** The handlers of a path. */
export interface Target {
  readonly routes: readonly AppRoute[];
  /** Whether something other than routes is mounted there, such as a folder of files. */
  readonly isMounted: boolean;
  /** False if the path matches only case-insensitively, as in Express's routers. */
  readonly isExact: boolean;
}

/** Finds what is mounted for a path, including in nested routers. */
export function findTarget(router: Router, path: string): Target {
  return targetIn(router.stack as unknown as readonly Layer[], path);
}

function targetIn(stack: readonly Layer[], path: string): Target {
  const routes: AppRoute[] = [];
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

/** Whether the literal segments of a pattern match the path case-sensitively. */
function isAsWritten(written: WrittenPath | readonly WrittenPath[], path: string): boolean {
  return [written].flat().some((pattern) => {
    if (typeof pattern !== "string" || /[*{}\\]/.test(pattern)) return true;
    const segments = path.split("/");
    return pattern
      .split("/")
      .every((segment, at) => segment.includes(":") || segment === (segments[at] ?? ""));
  });
}

export interface AppRoute {
  /** `method` is undefined for a handler of every method. */
  readonly stack: readonly { readonly method?: string; readonly handle: unknown }[];
}

type WrittenPath = string | RegExp;

/** The properties of a layer that tell which handlers a path has. */
interface Layer {
  /** The part of the path that matched, or false. */
  match(path: string): { readonly path: string } | false;
  readonly rawPath: WrittenPath | readonly WrittenPath[];
  readonly route?: AppRoute;
  /** The handler; has a stack if it is a router. */
  readonly handle: { readonly stack?: readonly Layer[] };
  /** True for middleware that runs for every path. */
  readonly slash: boolean;
}
