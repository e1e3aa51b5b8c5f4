import type { Router } from "express";
import { type StartProblem, StartRefused } from "../../errors/index.js";
import type { Guards, Hooks, Policies, Tool } from "../../own-code/index.js";
import { type AnyJobs, type AnySchedule, type JobsOfApp, readJobs } from "../jobs/read.js";
import { byResource } from "./by-resource.js";
import type { Authenticate } from "./gate.js";
import type { GeneratedResource } from "./generated.js";

/**
 * The options of `createApp` in the app's `server.ts`; all are optional.
 *
 * @example
 * ```ts
 * import { Router } from "express";
 * import { createApp } from "./generated/app.js";
 *
 * const routes = Router();
 * routes.get("/whoami", (_request, response) => response.json(response.locals.caller));
 *
 * const app = await createApp({
 *   routes,
 *   policies: { tasks: { delete: (_caller, task) => task.status === "done" } },
 * });
 * await app.listen();
 * ```
 */
export interface AppOptions<
  AppPolicies = Policies,
  AppHooks = Hooks,
  AppTools = Readonly<Record<string, Tool>>,
  AppJobs = AnyJobs,
  AppSchedule = AnySchedule,
> {
  /** An Express router with app routes, mounted under `/api` behind the same token check as generated routes. */
  readonly routes?: Router;
  /** Functions by resource and action, called after access rules; the response is 403 unless they return `true`. */
  readonly policies?: AppPolicies;
  /** Functions by resource, called for its writes: before the write, in its transaction, or after the commit. */
  readonly hooks?: AppHooks;
  /**
   * Functions by resource that decide whether a caller without a token may create a record, for example with a captcha.
   * If one returns false, the response is 403.
   */
  readonly guards?: Guards;
  /** Additional tools for agents (MCP); see `server.mcp`. */
  readonly tools?: AppTools;
  /** Background jobs by name. */
  readonly jobs?: AppJobs;
  /** Schedules that add jobs, by name. */
  readonly schedule?: AppSchedule;
  /** With `auth.enabled: false`: identifies the caller of a request; null for anonymous requests. */
  readonly authenticate?: Authenticate;
}

/** The options of `createApp` with defaults. */
export interface ReadOptions {
  readonly router: Router | null;
  readonly policies: Policies;
  readonly hooks: Hooks;
  readonly guards: Guards;
  readonly tools: Readonly<Record<string, Tool>>;
  readonly jobs: JobsOfApp;
  /** Warnings about deprecated names. */
  readonly warnings: readonly StartProblem[];
}

/** Reads the options of `server.ts`; throws a start error if names or jobs are invalid. */
export async function readOptions(
  options: AppOptions,
  resources: readonly GeneratedResource[],
): Promise<ReadOptions> {
  const policies = byResource("policies", options.policies ?? {}, resources);
  const hooks = byResource("hooks", options.hooks ?? {}, resources);
  const guards = byResource("guards", options.guards ?? {}, resources);
  const { problems, warnings, ...jobs } = await readJobs(
    options.jobs ?? {},
    options.schedule ?? {},
  );
  if (problems.length > 0) throw new StartRefused(...problems);
  const { routes: router = null, tools = {} } = options;
  return { router, policies, hooks, guards, tools, jobs, warnings };
}
