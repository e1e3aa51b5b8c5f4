import type { Router } from "express";
import { type StartProblem, StartRefused } from "../../errors/index.js";
import type { Hooks, Policies, Tool } from "../../own-code/index.js";
import { type JobsOfApp, type OwnJobs, type OwnSchedule, readJobs } from "../jobs/read.js";
import type { Authenticate } from "./gate.js";
import type { GeneratedResource } from "./generated.js";
import { byResource } from "./own-names.js";

/** What an app's own `server.ts` may pass in; every key is optional. */
export interface AppOptions<
  AppPolicies = Policies,
  AppHooks = Hooks,
  AppTools = Readonly<Record<string, Tool>>,
  AppJobs = OwnJobs,
  AppSchedule = OwnSchedule,
> {
  /** An Express router of the app's own, mounted under `/api` behind the same token check. */
  readonly routes?: Router;
  /** Functions by resource and action that decide last: false is 403. */
  readonly policies?: AppPolicies;
  /** Functions by resource around its writes: in the transaction before them, or after the commit. */
  readonly hooks?: AppHooks;
  /** Tools for agents, besides the package's: see `server.mcp`. */
  readonly tools?: AppTools;
  /** Work that outlives the request, by name. */
  readonly jobs?: AppJobs;
  /** Times at which jobs are added, by name. */
  readonly schedule?: AppSchedule;
  /** With `auth.enabled: false`: identifies the caller of a request, null for nobody. */
  readonly authenticate?: Authenticate;
}

/** The app's own code, complete. */
export interface ReadOptions {
  readonly router: Router | null;
  readonly policies: Policies;
  readonly hooks: Hooks;
  readonly tools: Readonly<Record<string, Tool>>;
  readonly jobs: JobsOfApp;
  /** What has another name now. */
  readonly warnings: readonly StartProblem[];
}

/** Reads what `server.ts` passes in; refuses the start where names or jobs do not fit. */
export async function readOptions(
  options: AppOptions,
  resources: readonly GeneratedResource[],
): Promise<ReadOptions> {
  const policies = byResource("policies", options.policies ?? {}, resources);
  const hooks = byResource("hooks", options.hooks ?? {}, resources);
  const { problems, warnings, ...jobs } = await readJobs(
    options.jobs ?? {},
    options.schedule ?? {},
  );
  if (problems.length > 0) throw new StartRefused(...problems);
  const { routes: router = null, tools = {} } = options;
  return { router, policies, hooks, tools, jobs, warnings };
}
