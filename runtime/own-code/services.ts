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

/** The services of handlers and background work: created once at startup, and for each request by `servicesFor`. */
export interface Services {
  /** The request or the job's attempt that the services belong to; null or omitted if there is none. */
  readonly request?: RequestState | null;
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly mailer: Mailer;
  /** The policies that apply; empty if the app itself acts. */
  readonly policies: Policies;
  readonly appCode: AppCode;
  /** Signs the URLs of private files in the JSON of records, as the last step before it is sent. */
  readonly signFiles: (json: string) => string;
  /** Returns the position of the change log; omitted if changes are not logged. */
  readonly logPosition?: (() => Promise<string>) | undefined;
  /** Whether the app itself acts: access rules do not apply to it. */
  readonly isTrusted?: boolean | undefined;
}

/** The services that are independent of app code. */
export type ServerServices = Omit<Services, "policies" | "appCode" | "isTrusted">;

/** Creates the services of a request, with its own statements and log lines. */
export function servicesFor(services: Services, request: RequestState | null): Services {
  if (request === (services.request ?? null)) return services;
  const { config, clock, mailer, policies, appCode, signFiles, logPosition, isTrusted } = services;
  const { db, log } = partsFor(services, request);
  // Spreading an object of functions takes V8 about 3 µs, which every request would pay.
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

/** Creates the services that are specific to a request. */
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

/** The request and the caller on whose behalf code acts; the caller is null if the app itself acts. */
export interface Actor {
  readonly services: Services;
  readonly caller: Caller | null;
  /** The transaction to which the database in `services` belongs; omitted if that is the app's database. */
  readonly unit?: Unit;
  /**
   * The services outside app code; those in `services` stop working when the call of the app code ends. Omitted outside
   * app code.
   */
  readonly outer?: Services;
  /** The running hooks and policies, outermost first; omitted if there are none. */
  readonly chain?: readonly string[];
  /** The records that the app code has read; omitted outside its transactions. */
  readonly reads?: Reads;
}

/**
 * The records that one unit of app code has read in its transaction: the hooks and policies of one write, or the work
 * of `app.transaction`. Each write with `resources` in it is a nested unit.
 */
export interface Reads {
  /** The reads of the enclosing unit; null if there is none. */
  readonly outer: Reads | null;
  /** Whether `get` locks the records that it returns, because this is a retry. */
  readonly isLocking: boolean;
  /** By resource and id: the record's version when it was read, or its state since then. */
  readonly known: Map<string, Known>;
  /** Records whose `update` is waiting for its function. */
  readonly updating: Set<string>;
  /** Whether the code has changed anything, or may have changed something. */
  hasWritten: boolean;
  /**
   * Set if the code writes a record that another transaction has changed since it was read; app code cannot catch it.
   */
  lost: Error | null;
}

/** `held`: locked since it was read, or written. `overtaken`: changed by another transaction since it was read. */
export type Known = Version | "held" | "overtaken";

/** Identifies the version of a record, to detect changes. */
export interface Version {
  /** The record's `updatedAt`; otherwise a digest of the values that were read. */
  readonly text: string;
  /** The keys of these values; omitted if there is an `updatedAt`. */
  readonly keys?: readonly string[];
}

/** One transaction that runs app code. */
export interface Unit {
  /** The services of the request outside this transaction. */
  readonly outer: Services;
  /** The time left for app code. */
  readonly budget: Budget;
  /** Aborted when app code times out. */
  readonly cut: AbortController;
  /** Hooks to run after the commit, in this order. */
  readonly after: AfterHook[];
  /** Nesting depth of the running hooks and policies; only the outermost is timed. */
  depth: number;
  /** An error that ends the transaction and that app code cannot catch. */
  fatal: { readonly error: unknown } | null;
  /** Errors of statements on the connection, as opposed to errors of app code. */
  readonly ours: WeakSet<object>;
  isOver: boolean;
}

/** Milliseconds for all hooks and policies of one request, not counting waits for locks. */
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
  /** Returns `resources` for code that acts on behalf of the actor. */
  resourcesOf(actor: () => Actor): object;
  /** Translates an error of a table into a refusal that names fields of resources; rethrows any other error. */
  explain(error: unknown, db: Queryable, log?: Log): Promise<never>;
  /** Returns the caller's files, which are stored outside the transaction of app code. */
  filesOf(request: RequestState | null, caller: Caller | null): AppFiles;
  readonly jobs: JobDesk;
  /** Queues the hooks, which run one after another. */
  runAfter(hooks: readonly AfterHook[]): void;
  /** Whether the queue of *after* hooks is full. */
  isBusy(): boolean;
}

/** Validates the jobs that app code adds, and wakes the worker once they are committed. */
export interface JobDesk {
  /**
   * Returns the job as stored, without its trace context. Throws if no job has this name, or if the input is invalid.
   */
  check(name: string, input: unknown, options?: JobOptions): Promise<Omit<NewJob, "traceparent">>;
  /** Reports that a job was committed. */
  wake(): void;
}
