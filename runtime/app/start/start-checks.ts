import type { Router } from "express";
import type { Config } from "../../config/index.js";
import { type StartProblem, StartRefused } from "../../errors/index.js";
import { appPaths, type Route } from "../../http/index.js";
import { toolProblems } from "../../mcp/index.js";
import type { Guards, HookName, Hooks, Policies, ResourcePolicies } from "../../own-code/index.js";
import { columnOf, type ResourceDefinition, type Table } from "../../resource/index.js";
import { isPublicRule } from "../../values/access-rule.js";
import { nearest } from "../../values/nearest.js";

interface AppCode {
  readonly policies: Policies;
  readonly hooks: Hooks;
  readonly guards: Guards;
  readonly appRouter: Router | null;
  readonly tools: Readonly<Record<string, unknown>>;
  readonly generated: readonly Route[];
  /** All routes, including the package's own. */
  readonly routes: readonly Route[];
}

/** Prevents the start, with one line per problem, if app code can never run. */
export function refuseUnreachableCode(own: AppCode): void {
  const { appRouter, generated, routes } = own;
  const resources = [...new Set(generated.map(({ path }) => path.split("/")[1] ?? ""))];
  const problems = [
    ...[policies, hooks, guards].flatMap((kind) => problemsOf(kind, own[kind.option], resources)),
    ...uselessGuards(own),
    ...(appRouter === null ? [] : appPaths(appRouter, routes).problems),
    ...toolProblems(own.tools),
  ];
  if (problems.length > 0) throw new StartRefused(...problems);
}

/**
 * Prevents the start if descriptors do not match the kind of sign-in. If the app handles sign-in itself, records cannot
 * have a required link to the package's accounts; otherwise, a string cannot identify an account of the app.
 */
export function refuseOtherAccounts(
  { enabled }: Pick<Config["auth"], "enabled">,
  definitions: readonly ResourceDefinition[],
): void {
  const problems = definitions.flatMap(({ table }) =>
    enabled ? textOwner(table) : accountLinks(table),
  );
  if (problems.length > 0) throw new StartRefused(...problems);
}

/**
 * Prevents the start if full-text search covers fields of linked records that a `list` policy may hide: the index is
 * the same for every caller.
 */
export function refuseHiddenWords(
  policies: Policies,
  definitions: readonly ResourceDefinition[],
): void {
  const problems = definitions.flatMap(({ table: { resource, words } }) =>
    Object.entries(words?.fields ?? {}).flatMap(([name, { table }]) => {
      const linked = table?.().resource;
      if (linked === undefined || policies[linked]?.list === undefined) return [];
      const message = `"search" of "${resource}" includes "${name}", but a policy decides who may list "${linked}"`;
      const hint = `remove "${name}" from search, or restrict "${linked}" by its access rule instead of a policy`;
      return [{ message, hint }];
    }),
  );
  if (problems.length > 0) throw new StartRefused(...problems);
}

/**
 * Returns a problem if the owner of a table's records, or the members of its group, are accounts of the app's own
 * sign-in.
 */
function textOwner({ resource, owner }: Table<never>): readonly StartProblem[] {
  if (owner?.account !== "text") return [];
  const whose =
    owner.team === undefined
      ? `the owner of "${resource}" is`
      : `members of "${resource}" are named by`;
  const message = `auth.enabled is true, but ${whose} a string, the accountId of a custom sign-in`;
  const key = owner.team === undefined ? "owner" : "account of owner";
  const hint = `set ${key} to a required link to users, or set auth.enabled to false`;
  return [{ message, hint }];
}

/** A problem for each required link of a table to the package's accounts. */
function accountLinks({ resource, columns, links = {} }: Table<never>): readonly StartProblem[] {
  return Object.values(links).flatMap(({ field, table }) => {
    if (table !== undefined || columnOf({ columns }, field)?.required !== true) return [];
    const message = `"${field}" of "${resource}" is a required link to users, but there are no users if auth.enabled is false`;
    const hint =
      "make it optional, or a string with the accountId of a caller, or set auth.enabled to true";
    return [{ message, hint }];
  });
}

/** An option of `createApp` with functions by resource and name. */
interface AppFunctions {
  readonly option: "policies" | "hooks" | "guards";
  /** What the names are called in messages. */
  readonly word: string;
  readonly names: Readonly<Record<string, true>>;
  readonly example: string;
}

const policies: AppFunctions = {
  option: "policies",
  word: "action",
  names: {
    list: true,
    get: true,
    stats: true,
    create: true,
    update: true,
    delete: true,
  } satisfies Readonly<Record<keyof ResourcePolicies<unknown>, true>>,
  example: "for example { create: (caller) => caller.role !== null }",
};

const hooks: AppFunctions = {
  option: "hooks",
  word: "hook",
  names: {
    beforeCreate: true,
    beforeUpdate: true,
    beforeDelete: true,
    beforeRestore: true,
    afterCreate: true,
    afterUpdate: true,
    afterDelete: true,
  } satisfies Readonly<Record<HookName, true>>,
  example: "for example { beforeCreate: (values) => values }",
};

const guards: AppFunctions = {
  option: "guards",
  word: "action",
  names: { create: true },
  example: "for example { create: ({ headers }) => headers.captcha !== undefined }",
};

/** Returns a problem for each guard of a resource that callers without a token cannot create. */
function uselessGuards({ guards: given, generated }: AppCode): readonly StartProblem[] {
  return Object.keys(given).flatMap((name) => {
    const create = generated.find(({ method, path }) => method === "POST" && path === `/${name}`);
    if (create === undefined || create.access === "public" || isPublicRule(create.access))
      return [];
    const message = `guards: "${name}" has no public create`;
    return [{ message, hint: "write create: public in its access, or remove the guard" }];
  });
}

function problemsOf(
  kind: AppFunctions,
  own: Policies | Hooks | Guards,
  resources: readonly string[],
): readonly StartProblem[] {
  return Object.entries(own)
    .filter(([, functions]) => functions !== undefined)
    .flatMap(([name, functions]) =>
      resources.includes(name)
        ? resourceProblems(kind, name, functions)
        : [problemOf(kind, `there is no resource "${name}"`, suggestion(name, resources))],
    );
}

function resourceProblems(kind: AppFunctions, name: string, own: unknown): readonly StartProblem[] {
  const { word, names, example } = kind;
  const problem = (message: string, hint: string) => problemOf(kind, message, hint);
  if (typeof own !== "object" || own === null) {
    return [problem(`"${name}" must be an object`, example)];
  }
  return Object.entries(own).flatMap(([key, value]) => {
    if (!Object.hasOwn(names, key)) {
      const hint = suggestion(key, Object.keys(names));
      return [problem(`"${name}" has no ${word} "${key}"`, hint)];
    }
    if (value === undefined || typeof value === "function") return [];
    return [problem(`"${key}" of "${name}" must be a function`, example)];
  });
}

function problemOf({ option }: AppFunctions, message: string, hint: string): StartProblem {
  return { message: `${option}: ${message}`, hint };
}

function suggestion(word: string, candidates: readonly string[]): string {
  const close = nearest(word, candidates);
  if (close !== null) return `did you mean "${close}"?`;
  if (candidates.length === 0) return "none exist";
  const more = candidates.length - maxNamed;
  const named = candidates.slice(0, maxNamed).join(", ");
  return more > 0 ? `available: ${named} and ${more} more` : `available: ${named}`;
}

/** Maximum number of names in a message; a list of all resources of a large app would be unreadable. */
const maxNamed = 10;
