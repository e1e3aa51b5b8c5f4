import type { AppDatabase } from "./app-database.js";
import type { Caller } from "./caller.js";
import type { AppJobs, JobInputs } from "./jobs/jobs.js";
import type { AppFiles, AppMail } from "./kit.js";
import type { Log } from "./log.js";

/**
 * The context of a hook, or of the policy of a write.
 *
 * @example
 * ```ts
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({
 *   hooks: {
 *     tasks: {
 *       beforeUpdate: async (changes, _task, { id, caller, db }) => {
 *         if (changes.status !== "done") return;
 *         const text = "insert into finished (task_id, account_id) values ($1, $2)";
 *         await db.query(text, [id, caller?.accountId ?? null]);
 *       },
 *     },
 *   },
 * });
 * await app.listen();
 * ```
 */
export interface HookContext<Resources = unknown, Inputs = JobInputs, Id = string> {
  /** The record's id. For a create, the id that the record will have; null if the database generates it. */
  readonly id: Id;
  /** The record whose deletion cascades to this one (`onDelete: cascade`); otherwise null. */
  readonly cascadedFrom: { readonly resource: string; readonly id: string } | null;
  /** @deprecated Use `cascadedFrom`. */
  readonly because: { readonly resource: string; readonly id: string } | null;
  /** Whether a deleted record is kept in the trash; false for a permanent deletion, and for other writes. */
  readonly trash: boolean;
  /** The caller of the request; null on public routes and outside requests. */
  readonly caller: Caller | null;
  /** The transaction of the write; in *after* hooks, the app's database. */
  readonly db: AppDatabase;
  /** The resources in the same transaction, without access rules and policies. */
  readonly resources: Resources;
  /** Jobs. Added in a *before* hook, they belong to the write's transaction and run after its commit. */
  readonly jobs: AppJobs<Inputs>;
  /** Mail. Sent in a *before* hook, it belongs to the write's transaction. */
  readonly mail: AppMail;
  readonly files: AppFiles;
  /** The log, whose lines have the request's id. */
  readonly log: Log;
  /** The request's `traceparent` header (W3C Trace Context); null if it is missing or malformed. */
  readonly traceparent: string | null;
  /** Aborted when the hook times out. */
  readonly signal: AbortSignal;
}

/** Lets a function end without `return`. */
// biome-ignore lint/suspicious/noConfusingVoidType: such a function returns this type.
type Nothing = void | undefined;

type Returned<Values> = Values | Nothing | Promise<Values | Nothing>;

/**
 * App code around the writes of one resource. *Before* hooks run in the write's transaction, and again if it is
 * retried; values that one returns replace the given ones. *After* hooks run at most once, after the commit. To refuse
 * a write, throw `refusal(…)` from `service-runtime/errors` in a *before* hook.
 *
 * @example
 * ```ts
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({
 *   hooks: {
 *     tasks: {
 *       beforeCreate: (values) => ({ ...values, title: values.title.trim() }),
 *       afterUpdate: (task, former, { log }) => {
 *         if (task.status !== former.status) log.info({ id: task.id }, "A task has moved on");
 *       },
 *     },
 *   },
 * });
 * await app.listen();
 * ```
 */
export interface ResourceHooks<
  Record,
  Values,
  Resources = unknown,
  Inputs = JobInputs,
  NewId = string,
> {
  /** `values` are validated and include defaults. */
  beforeCreate?(
    values: Readonly<Values>,
    context: HookContext<Resources, Inputs, NewId>,
  ): Returned<Values>;
  /** `changes` are validated; on PUT they contain all fields. `record` is the stored record, locked. */
  beforeUpdate?(
    changes: Readonly<Partial<Values>>,
    record: Record,
    context: HookContext<Resources, Inputs>,
  ): Returned<Partial<Values>>;
  /** `record` is the stored record, locked. */
  beforeDelete?(record: Record, context: HookContext<Resources, Inputs>): void | Promise<void>;
  /** `record` is the record in the trash. Called for each record that is restored. */
  beforeRestore?(record: Record, context: HookContext<Resources, Inputs>): void | Promise<void>;
  afterCreate?(record: Record, context: HookContext<Resources, Inputs>): void | Promise<void>;
  /** `former` is the record before the update. */
  afterUpdate?(
    record: Record,
    former: Record,
    context: HookContext<Resources, Inputs>,
  ): void | Promise<void>;
  afterDelete?(record: Record, context: HookContext<Resources, Inputs>): void | Promise<void>;
}

/** Hooks by resource name. */
export type Hooks = {
  readonly [resource: string]: ResourceHooks<unknown, unknown> | undefined;
};

export type HookName = keyof ResourceHooks<unknown, unknown>;

/**
 * Hooks whose *before* hooks return only fields of their resource. TypeScript accepts excess keys in the result of a
 * function, so the type of `createApp` checks the returned keys against the fields.
 */
export type CheckedHooks<Own, Known> = {
  readonly [Name in keyof Own]: Name extends keyof Known
    ? NonNullable<Known[Name]> extends ResourceHooks<
        infer _Record,
        infer Values,
        infer _Resources,
        infer _Inputs,
        infer _NewId
      >
      ? CheckedReturns<Own[Name], Values>
      : unknown
    : unknown;
};

type CheckedReturns<Own, Values> = {
  readonly [Hook in keyof Own]: Hook extends "beforeCreate" | "beforeUpdate"
    ? [UnknownKeys<Own[Hook], Values>] extends [never]
      ? unknown
      : { readonly "returns a key that is not a field": UnknownKeys<Own[Hook], Values> }
    : unknown;
};

/** A result of type `any`, such as that of `JSON.parse`, is validated at run time. */
type UnknownKeys<Hook, Values> = Hook extends (...given: never[]) => infer Result
  ? 0 extends 1 & Awaited<Result>
    ? never
    : KeysOf<Exclude<Awaited<Result>, Nothing>, Values>
  : never;

type KeysOf<Result, Values> = Result extends object
  ? Exclude<keyof Result, keyof Values | "id" | "createdAt" | "updatedAt">
  : never;
