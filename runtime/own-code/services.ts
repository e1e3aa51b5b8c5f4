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
import type { Policies } from "./policies.js";

/** What handlers and background work may use; made once at the start, and anew for each request by `servicesFor`. */
export interface Services {
  /** The request, or the attempt of a job, that they work for; null or left out for what belongs to none. */
  readonly request?: RequestState | null;
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly mailer: Mailer;
  /** The policies that apply: none where the app itself acts. */
  readonly policies: Policies;
  readonly ownCode: OwnCode;
  /** Signs the addresses of private files in the JSON text of records, as the last thing before somebody gets it. */
  readonly signFiles: (json: string) => string;
  /** The position of the log of changes; left out where no changes are logged. */
  readonly logPosition?: () => Promise<string>;
  /** Whether the app itself acts, to which no access rule applies. */
  readonly isTrusted?: boolean;
}

/** Those that do not know the app's own code. */
export type ServerServices = Omit<Services, "policies" | "ownCode" | "isTrusted">;

/** The services for a request: their statements and the lines of their log are its own. */
export function servicesFor<All extends Pick<Services, "request" | "db" | "log">>(
  services: All,
  request: RequestState | null,
): All {
  if (request === (services.request ?? null)) return services;
  const log = request === null ? services.log : newRequestLog(services.log, request.fields);
  return { ...services, request, db: services.db.of(request), log };
}

/** On whose behalf something is done: a request, and who makes it; null where the app itself acts. */
export interface Actor {
  readonly services: Services;
  readonly caller: Caller | null;
  /** The transaction to which the database of `services` belongs; left out where it is the app's. */
  readonly unit?: Unit;
  /** The services outside own code: those of `services` stop working when its call ends. Absent outside own code. */
  readonly outer?: Services;
  /** The hooks and policies within which it is done, outermost first; left out where there are none. */
  readonly chain?: readonly string[];
  /** What the code on whose behalf it is done has read of records; left out outside a transaction of own code. */
  readonly reads?: Reads;
}

/**
 * The records that a piece of own code has read in its transaction: the hooks and policies of one write, or the work of
 * `app.transaction`. What such a piece writes with `resources` is a piece of its own, within it.
 */
export interface Reads {
  /** Those of the code within which it runs; null where there is none. */
  readonly outer: Reads | null;
  /** Whether `get` locks what it returns: the code runs again. */
  readonly isLocking: boolean;
  /** By resource and id: when the record was changed last, as it was read; or what has become of it since. */
  readonly known: Map<string, Known>;
  /** Records whose `update` is waiting for its function. */
  readonly updating: Set<string>;
  /** Whether the code has changed anything, or may have. */
  hasWritten: boolean;
  /** Set where the code writes a record that another transaction has changed since; own code cannot catch it. */
  lost: Error | null;
}

/** `held`: locked since it was read, or written. `overtaken`: another transaction has changed it since it was read. */
export type Known = { readonly updatedAt: string } | "held" | "overtaken";

/** One transaction in which the app's own code runs. */
export interface Unit {
  /** What the request uses outside of it. */
  readonly outer: Services;
  /** The time that own code may still take. */
  readonly budget: Budget;
  /** Aborted when own code runs out of time. */
  readonly cut: AbortController;
  /** What runs once it is committed, in this order. */
  readonly after: AfterHook[];
  /** How many hooks and policies run within each other: the outermost is timed. */
  depth: number;
  /** What own code cannot catch: it ends the transaction. */
  fatal: { readonly error: unknown } | null;
  /** Errors of the connection itself. */
  readonly ours: WeakSet<object>;
  isOver: boolean;
}

/** Milliseconds that all hooks and policies of one request may take together, apart from their waits for locks. */
export interface Budget {
  left: number;
  /** By how much those waits may still lengthen it. */
  mayWait: number;
}

/** A hook that runs after the commit. */
export interface AfterHook {
  readonly actor: Actor;
  readonly resource: string;
  readonly hook: "afterCreate" | "afterUpdate" | "afterDelete";
  readonly id: string;
  readonly cascadedFrom: HookContext["cascadedFrom"];
  /** The whole records that it gets, as JSON texts. */
  readonly records: readonly string[];
}

/** What the app's own `server.ts` adds to the generated resources. */
export interface OwnCode {
  readonly policies: Policies;
  readonly hooks: Hooks;
  /** `resources` for code that acts for the actor. */
  resourcesOf(actor: () => Actor): object;
  /** Turns what a table has refused into an answer that names the fields of resources; any other error is rethrown. */
  explain(error: unknown, db: Queryable, log?: Log): Promise<never>;
  /** Files that the caller stores, past the transaction of own code. */
  filesOf(request: RequestState | null, caller: Caller | null): AppFiles;
  readonly jobs: JobDesk;
  /** Runs them soon, one after the other. */
  runAfter(hooks: readonly AfterHook[]): void;
  /** Whether too many hooks wait already. */
  isBusy(): boolean;
}

/** Where own code adds jobs. */
export interface JobDesk {
  /** The job as it is stored, but for its trace. Throws where there is none of that name, or where the input does not fit. */
  check(name: string, input: unknown, options?: JobOptions): Promise<Omit<NewJob, "traceparent">>;
  /** Reports that one was committed. */
  wake(): void;
}
