import type { AppDatabase } from "./app-database.js";
import type { Caller } from "./caller.js";
import type { AppJobs, JobInputs } from "./jobs/jobs.js";
import type { AppFiles, AppMail } from "./kit.js";
import type { Log } from "./log.js";

/** What a hook, or the policy of a write, may use. */
export interface HookContext<Resources = unknown, Inputs = JobInputs> {
  /** The record's id; a record that is being created will have this one. */
  readonly id: string;
  /** The record whose delete takes this one along, by `onDelete: cascade`; null in every other case. */
  readonly cascadedFrom: { readonly resource: string; readonly id: string } | null;
  /** @deprecated Use `cascadedFrom`. */
  readonly because: { readonly resource: string; readonly id: string } | null;
  /** Who made the request; null on public routes and outside requests. */
  readonly caller: Caller | null;
  /** The write's transaction; in an *after* hook the app's database. */
  readonly db: AppDatabase;
  /** The resources in the same transaction, without access rules and policies. */
  readonly resources: Resources;
  /** Jobs, in a *before* hook within the write's transaction: they run once it is committed. */
  readonly jobs: AppJobs<Inputs>;
  /** Mails, in a *before* hook within the write's transaction. */
  readonly mail: AppMail;
  readonly files: AppFiles;
  readonly log: Log;
  /** The request's, as sent (W3C Trace Context); null without a sound one. */
  readonly traceparent: string | null;
  /** Aborted when the hook runs out of time. */
  readonly signal: AbortSignal;
}

/** A function may end without `return`. */
// biome-ignore lint/suspicious/noConfusingVoidType: what such a function returns has this type.
type Nothing = void | undefined;

type Returned<Values> = Values | Nothing | Promise<Values | Nothing>;

/**
 * The app's own code around the writes of one resource. *Before* hooks run in the write's transaction, and again
 * when that is retried; what one returns replaces the values. *After* hooks run at most once, after the commit. To
 * refuse, throw `refusal(…)` from `service-runtime/errors`.
 */
export interface ResourceHooks<Record, Values, Resources = unknown, Inputs = JobInputs> {
  /** `values` are checked and include defaults. */
  beforeCreate?(
    values: Readonly<Values>,
    context: HookContext<Resources, Inputs>,
  ): Returned<Values>;
  /** `changes` are checked, and are all fields on PUT; `record` is the stored record, locked. */
  beforeUpdate?(
    changes: Readonly<Partial<Values>>,
    record: Record,
    context: HookContext<Resources, Inputs>,
  ): Returned<Partial<Values>>;
  beforeDelete?(record: Record, context: HookContext<Resources, Inputs>): void | Promise<void>;
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
 * Hooks whose *before* hooks return only fields of their resource. The compiler allows additional keys in what a
 * function returns, so the type of `createApp` compares them.
 */
export type CheckedHooks<Own, Known> = {
  readonly [Name in keyof Own]: Name extends keyof Known
    ? NonNullable<Known[Name]> extends ResourceHooks<
        infer _Record,
        infer Values,
        infer _Resources,
        infer _Inputs
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

/** What returns `any`, such as `JSON.parse`, is checked when it runs. */
type UnknownKeys<Hook, Values> = Hook extends (...given: never[]) => infer Result
  ? 0 extends 1 & Awaited<Result>
    ? never
    : KeysOf<Exclude<Awaited<Result>, Nothing>, Values>
  : never;

type KeysOf<Result, Values> = Result extends object
  ? Exclude<keyof Result, keyof Values | "id" | "createdAt" | "updatedAt">
  : never;
