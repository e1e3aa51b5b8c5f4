import { writeSync } from "node:fs";
import type { Router } from "express";
import type { Environment } from "../../config/index.js";
import { listAppRoutes, listedPath, type Route } from "../../http/index.js";
import type { Hooks, Policies } from "../../own-code/index.js";
import { isPublicRule, publicWord } from "../../values/access-rule.js";

/** A route in the output of `service routes`, with keys in the order of that output. */
export interface ListedRoute {
  readonly method: string;
  /** Path from the root, with parameters such as `{id}`. */
  readonly path: string;
  readonly rule: Route["access"];
  /** Whether an app policy applies. */
  readonly policy: boolean;
  /** The names of the app hooks that the route runs. */
  readonly hooks: readonly string[];
  /** Whether the route comes from `server.ts`. */
  readonly own: boolean;
  readonly public: boolean;
}

/**
 * Set by `service routes`: the file descriptor to which the routes are written as JSON. The app then opens neither a
 * database nor a port.
 */
const variable = "SERVICE_ROUTES_TO";

/** Settings that a server needs, but not a list of its routes. */
const unneeded: Environment = {
  DATABASE_URL: "postgres://localhost/none",
  SERVICE_SECRET: "no secret is needed to list routes",
  NODE_ENV: "test",
};

/** Returns the file descriptor for the list of routes, and the environment for creating them; null for a server. */
export function routesWanted(
  environment: Environment,
): { readonly descriptor: number; readonly environment: Environment } | null {
  const descriptor = environment[variable];
  if (descriptor === undefined) return null;
  return { descriptor: Number(descriptor), environment: { ...environment, ...unneeded } };
}

export interface RouteParts {
  readonly routes: readonly Route[];
  readonly generated: readonly Route[];
  readonly policies: Policies;
  readonly hooks: Hooks;
  readonly appRouter: Router | null;
}

/** Writes the routes to the file descriptor and ends the process. */
export function printRoutes(descriptor: number, parts: RouteParts): never {
  writeSync(descriptor, JSON.stringify({ routes: listRoutes(parts) }));
  process.exit(0);
}

/** Lists every route: the package's, those of resources, and those of `server.ts`. */
export function listRoutes(parts: RouteParts): readonly ListedRoute[] {
  const generated = new Set(parts.generated);
  const own = parts.appRouter === null ? [] : listAppRoutes(parts.appRouter);
  return [
    ...parts.routes.map((route) => listed(route, generated.has(route) ? parts : null)),
    ...own.map(({ method, path, isPublic }) => ({
      method,
      path: listedPath({ path }),
      rule: isPublic ? ("public" as const) : ("signed-in" as const),
      policy: false,
      hooks: [],
      own: true,
      public: isPublic,
    })),
  ];
}

function listed(route: Route, parts: RouteParts | null): ListedRoute {
  const { method, path, access } = route;
  const [, resource = ""] = path.split("/");
  const { action, hooks } = parts === null ? noAction : actionOf(method, path);
  const policies = parts === null ? {} : membersOf(parts.policies, resource);
  const given = parts === null ? {} : membersOf(parts.hooks, resource);
  return {
    method,
    path: listedPath(route),
    rule: shownRule(access),
    policy: action !== null && typeof policies[action] === "function",
    hooks: hooks.filter((name) => typeof given[name] === "function"),
    own: false,
    public: access === publicWord || isPublicRule(access),
  };
}

/** Returns the rule as the descriptor has it. */
function shownRule(access: Route["access"]): Route["access"] {
  if (typeof access === "string") return access;
  const [only] = access;
  if (access.length === 1 && only === publicWord) return publicWord;
  return access.map((entry) => {
    if (typeof entry === "string") return entry;
    const { who, where, check } = entry;
    return { who, ...(where && { where }), ...(check && { check }) };
  });
}

function membersOf(byResource: unknown, resource: string): Readonly<Record<string, unknown>> {
  const all = (byResource ?? {}) as Readonly<Record<string, unknown>>;
  return Object.hasOwn(all, resource)
    ? ((all[resource] ?? {}) as Readonly<Record<string, unknown>>)
    : {};
}

interface RouteAction {
  readonly action: string | null;
  readonly hooks: readonly string[];
}

const noAction: RouteAction = { action: null, hooks: [] };

/** The action of a resource's route, and its hooks. */
function actionOf(method: string, path: string): RouteAction {
  const [, , last] = path.split("/");
  if (last === "_stats" || last === "_aggregate") return { action: "stats", hooks: [] };
  if (last === "_query") return { action: "list", hooks: [] };
  switch (method) {
    case "POST":
      return { action: "create", hooks: ["beforeCreate", "afterCreate"] };
    case "PATCH":
    case "PUT":
      return { action: "update", hooks: ["beforeUpdate", "afterUpdate"] };
    case "DELETE":
      return { action: "delete", hooks: ["beforeDelete", "afterDelete"] };
    default:
      return { action: last === undefined ? "list" : "get", hooks: [] };
  }
}
