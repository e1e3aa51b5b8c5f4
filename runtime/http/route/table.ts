import type { Route } from "./route.js";

/** All routes by path, under `/api` or at the root. */
export interface RouteTable {
  /** Finds the route of a path; undefined if there is none. */
  find(path: string): RouteMatch | undefined;
}

export interface RouteMatch {
  readonly byMethod: ReadonlyMap<string, Route>;
  /** The full path as documented: `/api/products/{id}`. */
  readonly route: string;
  readonly params: Readonly<Record<string, string>>;
  /** The value of `Allow`: the methods of the path, with `HEAD` and `OPTIONS`. */
  readonly allow: string;
  /** Additional headers of the response to OPTIONS. */
  readonly options: Readonly<Record<string, string>>;
  /** Whether a POST may override its method with a header. */
  readonly takesOverride: boolean;
}

interface Node {
  readonly literal: Map<string, Node>;
  parameter: { readonly name: string; readonly node: Node } | null;
  readonly byMethod: Map<string, Route>;
  /** The path as documented; null if no route ends at this node. */
  route: string | null;
  allow: string;
  options: Readonly<Record<string, string>>;
  takesOverride: boolean;
}

/** The parameters of a path that has none. */
export const noParams: Readonly<Record<string, string>> = Object.freeze({});

/** A tree of path segments; a literal segment wins over a parameter. */
export function routeTable(routes: readonly Route[]): RouteTable {
  const root = newNode();
  const literal = new Map<string, RouteMatch>();
  for (const route of routes) insert(root, route);
  for (const route of routes) {
    if (route.path.includes("/:")) continue;
    const match = find(root, route.path);
    if (match !== undefined) literal.set(route.path, match);
  }
  return { find: (path) => literal.get(path) ?? find(root, path) };
}

function newNode(): Node {
  return {
    literal: new Map(),
    parameter: null,
    byMethod: new Map(),
    route: null,
    allow: "",
    options: {},
    takesOverride: false,
  };
}

function insert(root: Node, route: Route): void {
  const node = nodeOf(root, route.path, listedPath(route));
  if (node.byMethod.has(route.method)) {
    throw new Error(`Two routes for ${route.method} ${route.path}`);
  }
  node.byMethod.set(route.method, route);
  node.allow = allowed(node.byMethod.keys());
  if (!("handle" in route)) return;
  node.options = { ...node.options, ...route.headers, ...route.optionsHeaders };
  if (route.takesOverride === true) node.takesOverride = true;
}

function nodeOf(root: Node, path: string, listed = listedPath({ path })): Node {
  let node = root;
  for (const segment of path.slice(1).split("/")) node = child(node, segment);
  node.route ??= listed;
  return node;
}

/** `/products/:id` → `/api/products/{id}`, as documented. */
export function listedPath(route: Pick<Route, "path">): string {
  return `${isAtRoot(route) ? "" : "/api"}${route.path.replaceAll(/:(\w+)/g, "{$1}")}`;
}

/** Whether a route's path is relative to the server's root instead of `/api`. */
export function isAtRoot(route: object): boolean {
  return "isAtRoot" in route && route.isAtRoot === true;
}

/** Returns a function that maps a requested path to its documented form; segments are literals or parameters. */
export function pathNames(paths: readonly string[]): (path: string) => string | null {
  const root = newNode();
  for (const path of paths) nodeOf(root, path);
  return (path) => walk(root, path)?.node.route ?? null;
}

function child(node: Node, segment: string): Node {
  if (segment.startsWith(":")) {
    node.parameter ??= { name: segment.slice(1), node: newNode() };
    return node.parameter.node;
  }
  const existing = node.literal.get(segment);
  if (existing !== undefined) return existing;
  const created = newNode();
  node.literal.set(segment, created);
  return created;
}

function find(root: Node, path: string): RouteMatch | undefined {
  const { node, params } = walk(root, path) ?? {};
  if (node?.route == null || node.byMethod.size === 0) return undefined;
  const { byMethod, route, allow, options, takesOverride } = node;
  return { byMethod, route, params: params ?? noParams, allow, options, takesOverride };
}

interface Walked {
  readonly node: Node;
  readonly params: Readonly<Record<string, string>> | null;
}

function walk(root: Node, path: string): Walked | undefined {
  let node = root;
  let params: Record<string, string> | null = null;
  for (const segment of path.slice(1).split("/")) {
    const literal = node.literal.get(segment);
    if (literal !== undefined) {
      node = literal;
      continue;
    }
    const value = node.parameter === null || segment === "" ? null : decode(segment);
    if (node.parameter === null || value === null) return undefined;
    params ??= {};
    params[node.parameter.name] = value;
    node = node.parameter.node;
  }
  return { node, params };
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** The value of `Allow`: these methods and the implied ones, without duplicates. */
export function allowed(methods: Iterable<string>): string {
  const named = [...methods].flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
  return [...new Set([...named, "OPTIONS"])].join(", ");
}
