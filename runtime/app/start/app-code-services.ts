import type { AppRouteLocals } from "../../http/index.js";
import {
  type AppCode,
  type AppDatabase,
  type AppFiles,
  type AppJobs,
  type AppMail,
  type Caller,
  currentScope,
  type JobInputs,
  type ServerServices,
  type Services,
  scopeFor,
  servicesFor,
  type ToolContext,
  type TransactionOptions,
} from "../../own-code/index.js";
import type { RequestState } from "../../request/index.js";
import {
  type AfterHooks,
  type AppTransaction,
  appTransaction,
  databaseOf,
  jobsOf,
  mailOf,
  newAfterHooks,
  type ResourceDefinition,
  refuseByTable,
  resourceClients,
} from "../../resource/index.js";

/** The members of the app that app code uses. */
export interface AppMembers<Resources, Inputs = JobInputs> {
  /** The resources, with validation and hooks, but without access rules and policies. */
  readonly resources: Resources;
  readonly db: AppDatabase;
  readonly jobs: AppJobs<Inputs>;
  readonly mail: AppMail;
  readonly files: AppFiles;
  /**
   * Runs the work in one transaction; the work must use only its arguments. If a concurrent transaction conflicts with
   * it, it is retried up to `again` times; then a `Refusal` with status 503 is thrown.
   */
  transaction<T>(
    work: (given: AppTransaction<Resources, Inputs>) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
}

export interface AppCodeServices {
  readonly services: Services;
  readonly after: AfterHooks;
  readonly app: AppMembers<object>;
  /** Returns the `response.locals` of an app route. */
  localsOf(caller: Caller | null, request: RequestState): AppRouteLocals;
  toolContextOf(
    services: Services,
    caller: Caller,
  ): Pick<ToolContext, "db" | "resources" | "log" | "traceparent">;
}

export interface AppCodeParts extends Pick<AppCode, "filesOf" | "jobs"> {
  readonly definitions: readonly ResourceDefinition[];
}

/** Adds app hooks and policies to the services, and gives app code access to the services. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: the list of what app code may use, on the same services
export function addAppCode(
  given: ServerServices,
  { policies, hooks, guards }: Pick<AppCode, "policies" | "hooks" | "guards">,
  { definitions, filesOf, jobs: desk }: AppCodeParts,
): AppCodeServices {
  const { log, config } = given;
  const after = newAfterHooks(log, config.server.hookTimeoutSeconds);
  const resourcesOf = resourceClients(definitions);
  const tables = definitions.map(({ table }) => table);
  const explain: AppCode["explain"] = (error, db, log = given.log) =>
    refuseByTable(error, { db, log, tables });
  const own = { policies, hooks, guards, resourcesOf, explain, filesOf, jobs: desk };
  const appCode: AppCode = { ...own, ...after };
  const services: Services = { ...given, policies, appCode };

  const resources = (name: string, caller: Caller | null) =>
    resourcesOf(() => {
      const scope = scopeFor(name);
      return {
        services: servicesFor(services, scope.request),
        caller: caller ?? scope.caller,
        chain: scope.chain,
      };
    });

  function actorFor(name: string) {
    const { request, caller, chain } = scopeFor(name);
    return { services: servicesFor(services, request), caller, chain };
  }

  const db: AppDatabase = {
    query: async (text, values) => databaseOf(actorFor("app.db"), "app.db").query(text, values),
    transaction: async (work) =>
      databaseOf(actorFor("app.db"), "app.db.transaction").transaction(work),
  };

  const jobs: AppJobs = {
    add: async (name, input, options) => jobsOf(actorFor("app.jobs")).add(name, input, options),
  };

  const mail: AppMail = {
    send: async (message) => mailOf(actorFor("app.mail")).send(message),
  };

  const files: AppFiles = {
    store: async (content, target) => {
      const { request, caller } = scopeFor("app.files");
      return filesOf(request, caller).store(content, target);
    },
    read: (key) => filesOf(currentScope().request, null).read(key),
  };

  const what = "app.transaction";
  return {
    services,
    after,
    app: {
      resources: resources("app.resources", null),
      db,
      jobs,
      mail,
      files,
      transaction: async <T>(
        work: (given: AppTransaction<object>) => Promise<T>,
        options?: TransactionOptions,
      ) => appTransaction(actorFor(what), { what, ...options }, work),
    },
    localsOf: (caller, request) => ({
      caller,
      resources: resources("response.locals.resources", caller),
      traceparent: request.traceparent,
    }),
    toolContextOf: ({ log, request }, caller) => ({
      db,
      resources: resources("context.resources", caller),
      log,
      traceparent: request?.traceparent ?? null,
    }),
  };
}
