import type { Router } from "express";
import { endFormerInBackground, passwordsWaiting, reencryptInBackground } from "../auth/index.js";
import { systemClock } from "../clock/index.js";
import { readConfig, readEnvironment } from "../config/index.js";
import { taskWanted } from "../data/at-start.js";
import { openDatabase, type PoolNumbers } from "../db/index.js";
import { type HttpParts, newJudge } from "../http/index.js";
import { keepingMailer, openMailer } from "../mail/index.js";
import type { Hooks, JobInputs, Policies, Tool } from "../own-code/index.js";
import { batchRoute, routesOf } from "../resource/index.js";
import { fileSigner, picturesWaiting } from "../uploads/at-start.js";
import { newChecks } from "./health/checks.js";
import { newDrain } from "./health/drain.js";
import { healthRoutes } from "./health/routes.js";
import { untrustedProxyNote } from "./health/untrusted-proxy.js";
import { newDesk } from "./jobs/desk.js";
import { openJobs, type RunningJobs } from "./jobs/open.js";
import { type OwnJobs, type OwnSchedule, readJobs } from "./jobs/read.js";
import { workWanted } from "./jobs/work.js";
import { storedCounts } from "./metrics/stored.js";
import { watcherOf } from "./metrics/watch.js";
import { type App, newApp } from "./processes/app.js";
import { configOfPrimary, isOfNewRelease } from "./processes/handover.js";
import { judgeOfPrimary } from "./processes/judging.js";
import { exchangeNumbers } from "./processes/numbers.js";
import { isPortHeld } from "./processes/port.js";
import type { AccountDeletion } from "./routes/account-records.js";
import { accountRoutes, forOperators } from "./routes/account-routes.js";
import { agentRoutes } from "./routes/agent-routes.js";
import { docsRoutes } from "./routes/docs-routes.js";
import { jobRoutes } from "./routes/job-routes.js";
import { openapiRoute } from "./routes/openapi-route.js";
import { printRoutes, routesWanted } from "./routes/route-list.js";
import { signedRoutes } from "./routes/signed-routes.js";
import { systemRoutes, version } from "./routes/system-routes.js";
import { appFolder, refusePending, releaseIn } from "./start/folder.js";
import { type Authenticate, gateOf } from "./start/gate.js";
import { canStore, type GeneratedResource, refuseOldCode } from "./start/generated.js";
import { openLog } from "./start/log.js";
import { openChanges } from "./start/open-changes.js";
import { openFiles } from "./start/open-files.js";
import { byResource } from "./start/own-names.js";
import { addOwnCode } from "./start/own-services.js";
import { roleOf } from "./start/role.js";
import { StartRefused, startOrExit } from "./start/start.js";
import { refuseOtherAccounts, refuseUnreachableCode } from "./start/start-checks.js";
import { testSetups } from "./start/test-setup.js";
import { newCounts } from "./status/counts.js";
import { statusRoute } from "./status/route.js";
import { storedNumbers } from "./status/stored.js";

/** What the generated `app.ts` passes in. */
export interface Generated {
  /** `import.meta.url` of `generated/app.ts`; the app's folder is above it. */
  readonly location: string;
  readonly resources: readonly GeneratedResource[];
  /** What `GET /api/_service/resources` answers, in this order. Missing in code that an older release generated. */
  readonly descriptors?: readonly object[];
  /** The names of the app's migrations that the code was made with. Missing in code that an older release generated. */
  readonly migrations?: readonly string[];
  /** What deleting an account means for records; left out where none is required to belong to one. */
  readonly accounts?: AccountDeletion;
}

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

/**
 * Reads the configuration, opens the database and assembles the app. What must be changed before a start is
 * written to standard error, a line each, and the process exits with 1.
 */
export function createGeneratedApp<Resources, Inputs = JobInputs>(
  generated: Generated,
  given: AppOptions<object, object, object, object, object>,
): Promise<App<Resources, Inputs>> {
  // The generated types have names and records in place of the general ones; what they say is checked below.
  const options = given as AppOptions;
  return startOrExit(async () => {
    const root = appFolder(generated.location);
    const release = releaseIn(root, generated.migrations);
    const { descriptors = refuseOldCode(), resources: definitions } = generated;
    const fields = definitions.flatMap(({ uploads: takes = [] }) => takes);
    const test = testSetups.getStore();
    const wanted = test === undefined ? routesWanted(readEnvironment(root)) : null;
    const environment = wanted?.environment ?? readEnvironment(root);
    const handed = test === undefined ? await configOfPrimary(environment) : null;
    const config = (await test?.configure(root)) ?? handed ?? readConfig({ root, environment });
    const concurrency = workWanted(environment, config);
    const task = taskWanted(environment);
    const alone = task === null ? roleOf(config, isPortHeld()) : "task";
    const served = concurrency === null ? alone : { concurrency };
    const role = test !== undefined ? "test" : handed === null ? served : "worker";
    refuseOtherAccounts(config.auth, definitions);
    const gate = gateOf(config, options.authenticate);
    const log = openLog(config, wanted === null ? role : "task");
    const counts = newCounts(systemClock);
    const isTimed = config.environment === "development";
    let pool: (() => PoolNumbers) | null = null;
    const onPool = (numbers: () => PoolNumbers) => {
      pool = numbers;
    };
    const isLogged = definitions.some(({ table }) => table.changes !== undefined);
    const onOpen = { log, onSlow: counts.slow.note, onPool, isTimed, notesWriter: isLogged };
    const open = () => openDatabase({ ...config.database, ...onOpen });
    const checked = open();
    // A worker relies on what the primary has checked: one that replaces another starts without the database.
    const isChecking = (role !== "worker" || isOfNewRelease(environment)) && wanted === null;
    if (isChecking) {
      for (const { message, hint } of config.warnings) log.warn({ hint }, message);
      await refusePending(checked, release, (warning) => log.warn(warning));
    }
    if (role === "primary") await checked.close();
    // A primary holds no connection, unless the app's own code needs one.
    const db = role === "primary" ? open() : checked;
    const policies = byResource("policies", options.policies ?? {}, definitions);
    const hooks = byResource("hooks", options.hooks ?? {}, definitions);
    const jobs = await readJobs(options.jobs ?? {}, options.schedule ?? {});
    if (jobs.problems.length > 0) throw new StartRefused(...jobs.problems);
    if (isChecking) for (const { message, hint } of jobs.warnings) log.warn({ hint }, message);
    const mailer = openMailer({ config, db, log });
    const own = addOwnCode(
      {
        config,
        db,
        clock: systemClock,
        log,
        signFiles: fileSigner({ config, clock: systemClock }, fields),
        ...(isLogged && { logPosition: async () => (await streams?.position()) ?? "" }),
        // The mailer of a primary is never started.
        mailer: test === undefined ? mailer : keepingMailer(mailer),
      },
      { policies, hooks },
      {
        definitions,
        filesOf: (caller) => uploads.filesFor(caller),
        jobs: newDesk(jobs, () => running?.wake()),
      },
    );
    const { services } = own;
    const running: RunningJobs | null = openJobs(services, jobs, (ended) =>
      metrics?.countTry(ended),
    );
    const { tools = {} } = options;
    const asked = gate(services);
    const drain = newDrain();
    const uploads = openFiles(services, fields, { definitions, gate: asked });
    const checks = newChecks({
      ...{ config, db, log, release },
      tryStorage: canStore(config, fields) ? () => uploads.tryStorage() : null,
    });
    const { streams, webhooks, history } = await openChanges({
      ...{ services, gate: asked, definitions, descriptors },
      onDelay: (seconds) => metrics?.noteDelay(seconds),
      onEnded: (result) => metrics?.countDelivery(result),
    });
    const metrics =
      config.server.metrics === null || role === "primary"
        ? null
        : (await import("./metrics/registry.js")).newMetrics({
            ...{ version, checks, pool: () => pool?.() ?? null },
            waiting: { passwords: passwordsWaiting, pictures: picturesWaiting },
            ...storedCounts(db, { running, webhooks }),
            hasJobs: running !== null,
            streams: streams?.count ?? null,
          });
    const resourceRoutes = signedRoutes(
      services,
      definitions,
      definitions.flatMap((one) => routesOf(one, one.routes)),
    );
    const parts: HttpParts = {
      services,
      routes: [
        ...healthRoutes({ drain, checks }),
        ...systemRoutes(descriptors, definitions, { jobs: running, webhooks }),
        openapiRoute(root, services),
        ...docsRoutes(config),
        ...uploads.routes,
        ...accountRoutes(config.auth, { accounts: generated.accounts, definitions, uploads }),
        ...forOperators(config.auth, (roles) => [
          statusRoute(roles, {
            version,
            numbers:
              role === "worker" ? exchangeNumbers(counts.numbers) : async () => [counts.numbers()],
            stored: storedNumbers(db, { release, definitions }),
          }),
        ]),
        ...(running === null
          ? []
          : forOperators(config.auth, (roles) => jobRoutes(roles, jobs, running.wake))),
        ...forOperators(config.auth, (roles) => webhooks?.routes(roles) ?? []),
        ...signedRoutes(services, definitions, history),
        ...signedRoutes(services, definitions, [batchRoute(definitions)]),
        ...(streams === null ? [] : [streams.route]),
        ...agentRoutes(own, { tools, definitions }, () => parts.routes),
        ...resourceRoutes,
      ],
      gate: asked,
      ownRouter: options.routes ?? null,
      localsOf: own.localsOf,
      judge: role === "worker" ? judgeOfPrimary() : newJudge(),
      watcher: watcherOf(counts.meter, metrics, untrustedProxyNote(services), () =>
        streams?.follower.wake(),
      ),
    };
    refuseUnreachableCode({ ...parts, policies, hooks, tools, generated: resourceRoutes });
    if (wanted !== null) {
      printRoutes(wanted.descriptor, { ...parts, policies, hooks, generated: resourceRoutes });
    }
    const app =
      role === "primary"
        ? (await import("./processes/primary.js")).newPrimary(parts, own)
        : newApp({
            ...{ http: parts, own, uploads, jobs: running, streams, webhooks },
            ...{ drain, metrics, role },
            task:
              task &&
              (async () => {
                const { runTask } = await import("../data/index.js");
                await runTask({ ...own, definitions, uploads }, task);
              }),
          });
    test?.onMade({ ...own, app, uploads, jobs: running });
    if (role !== "primary" && config.previousSecret !== null) void reencryptInBackground(services);
    if (role !== "primary" && config.auth.enabled) void endFormerInBackground(services);
    // The generated code knows the type of each resource.
    return app as App<Resources, Inputs>;
  });
}
