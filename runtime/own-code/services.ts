import type { Clock } from "../clock/index.js";
import type { Config } from "../config/index.js";
import type { Database, Queryable } from "../db/index.js";
import type { NewJob } from "../jobs/index.js";
import type { Mailer } from "../mail/index.js";
import type { RequestState } from "../request/index.js";
import type { Caller } from "./caller.js";
import type { HookContext, Hooks } from "./hooks.js";
import type { JobOptions } from "./jobs/jobs.js";
import type { AppFiles } from "./kit.js";
import { type Log, newRequestLog } from "./log.js";
import type { Guards, Policies } from "./policies.js";

/** The services of handlers and background work: created once at the start, and for each request by `servicesFor`. */
export interface Services {
  /** The request, or the attempt of a job, that they serve; null or left out if there is none. */
  readonly request?: RequestState | null;
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly mailer: Mailer;
  /** The policies that apply; none if the app itself acts. */
  readonly policies: Policies;
  readonly appCode: AppCode;
  /** Signs the URLs of private files in the JSON text of records, as the last step before it is sent. */
  readonly signFiles: (json: string) => string;
  /** The position of the change log; left out if changes are not logged. */
  readonly logPosition?: (() => Promise<string>) | undefined;
  /** Whether the app itself acts, which no access rule restricts. */
  readonly isTrusted?: boolean | undefined;
}

/** The services that are independent of app code. */
export type ServerServices = Omit<Services, "policies" | "appCode" | "isTrusted">;

/** Creates the services of a request, with its own statements and log lines. */
export function servicesFor(services: Services, request: RequestState | null): Services {
  if (request === (services.request ?? null)) return services;
  const { config, clock, mailer, policies, appCode, signFiles, logPosition, isTrusted } = services;
  const { db, log } = partsFor(services, request);
  // Spreading an object of functions takes V8 some 3 µs, which every request would pay.
  return {
    request,
    config,
    db,
    clock,
    log,
    mailer,
    policies,
    appCode,
    signFiles,
    logPosition,
    isTrusted,
  } satisfies Record<keyof Services, unknown>;
}

/** The services that are specific to a request. */
export function partsFor(
  { db, log }: Pick<Services, "db" | "log">,
  request: RequestState | null,
): Pick<Services, "db" | "log"> & { readonly request: RequestState | null } {
  return {
    request,
    db: db.of(request),
    log: request === null ? log : newRequestLog(log, request.fields),
  };
}

/** The request and the caller on whose behalf something is done; the caller is null if the app itself acts. */
export interface Actor {
  readonly services: Services;
  readonly caller: Caller | null;
  /** The transaction of the database in `services`; left out if that is the app's database. */
  readonly unit?: Unit;
  /**
   * The services outside app code: those in `services` stop working when the call of the app code ends. Absent outside
   * app code.
   */
  readonly outer?: Services;
  /** The running hooks and policies, outermost first; left out if there are none. */
  readonly chain?: readonly string[];
  /** The records that the app code has read; left out outside its transactions. */
  readonly reads?: Reads;
}

/**
 * The records that one unit of app code has read in its transaction: the hooks and policies of one write, or the work
 * of `app.transaction`. Each write with `resources` in it is a nested unit.
 */
export interface Reads {
  /** The reads of the surrounding unit; null if there is none. */
  readonly outer: Reads | null;
  /** Whether `get` locks the records that it returns, since this is a retry. */
  readonly isLocking: boolean;
  /** By resource and id: the record's version when it was read, or its state since then. */
  readonly known: Map<string, Known>;
  /** Records whose `update` waits for its function. */
  readonly updating: Set<string>;
  /** Whether the code has changed anything, or may have changed something. */
  hasWritten: boolean;
  /** Set if the code writes a record that another transaction has changed since; app code cannot catch it. */
  lost: Error | null;
}

/** `held`: locked since it was read, or written. `overtaken`: changed by another transaction since it was read. */
export type Known = Version | "held" | "overtaken";

/** Shows whether a record has changed. */
export interface Version {
  /** Its `updatedAt`; without one a digest of the values that were read. */
  readonly text: string;
  /** The keys of these values; left out with an `updatedAt`. */
  readonly keys?: readonly string[];
}

/** One transaction that runs app code. */
export interface Unit {
  /** The services of the request outside this transaction. */
  readonly outer: Services;
  /** The time left for app code. */
  readonly budget: Budget;
  /** Aborted at the timeout of app code. */
  readonly cut: AbortController;
  /** Hooks to run after the commit, in this order. */
  readonly after: AfterHook[];
  /** Nesting depth of the running hooks and policies; only the outermost is timed. */
  depth: number;
  /** An error that app code cannot catch and that ends the transaction. */
  fatal: { readonly error: unknown } | null;
  /** Errors of the connection itself. */
  readonly ours: WeakSet<object>;
  isOver: boolean;
}

/** Milliseconds for all hooks and policies of one request, without waits for locks. */
export interface Budget {
  left: number;
  /** Milliseconds of lock waits that may still extend the budget. */
  mayWait: number;
}

export interface AfterHook {
  readonly actor: Actor;
  readonly resource: string;
  readonly hook: "afterCreate" | "afterUpdate" | "afterDelete";
  readonly id: string;
  readonly cascadedFrom: HookContext["cascadedFrom"];
  /** Whether a deleted record is kept in the trash. */
  readonly isTrashed: boolean;
  /** The complete records that the hook receives, as JSON texts. */
  readonly records: readonly string[];
}

/** What the app's `server.ts` adds to the generated resources. */
export interface AppCode {
  readonly policies: Policies;
  readonly hooks: Hooks;
  readonly guards: Guards;
  /** Returns `resources` for code that acts for the actor. */
  resourcesOf(actor: () => Actor): object;
  /** Translates an error of a table into a refusal that names fields of resources; rethrows any other error. */
  explain(error: unknown, db: Queryable, log?: Log): Promise<never>;
  /** The caller's files, stored outside of the transaction of app code. */
  filesOf(request: RequestState | null, caller: Caller | null): AppFiles;
  readonly jobs: JobDesk;
  /** Runs the hooks soon, one after another. */
  runAfter(hooks: readonly AfterHook[]): void;
  /** Whether the queue of *after* hooks is full. */
  isBusy(): boolean;
}

/** Validates the jobs that app code adds, and wakes the worker once they are committed. */
export interface JobDesk {
  /**
   * Returns the job as it is stored, without its trace. Throws if no job has that name, and if the input is invalid.
   */
  check(name: string, input: unknown, options?: JobOptions): Promise<Omit<NewJob, "traceparent">>;
  /** Reports that a job was committed. */
  wake(): void;
}
