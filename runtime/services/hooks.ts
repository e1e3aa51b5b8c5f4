import type { AppDatabase } from "./app-database.js";
import type { Caller } from "./caller.js";
import type { Log } from "./log.js";

/** What a hook, or the policy of a write, may use. */
export interface HookContext<Resources = unknown> {
  /** Of the record; a record that is created will have it. */
  readonly id: string;
  /** Who made the request; null on public routes and outside requests. */
  readonly caller: Caller | null;
  /** The write's transaction; in an *after* hook the app's database. */
  readonly db: AppDatabase;
  /** The resources in the same transaction, without access rules and policies. */
  readonly resources: Resources;
  readonly log: Log;
  /** Aborted when the hook was cut off. */
  readonly signal: AbortSignal;
}

/** A function may end without `return`. */
// biome-ignore lint/suspicious/noConfusingVoidType: what such a function returns has this type.
type Nothing = void | undefined;

type Returned<Values> = Values | Nothing | Promise<Values | Nothing>;

/**
 * The app's own code around the writes of one resource. *Before* hooks run in the write's transaction, again
 * when that is run again; what one returns takes the place of the values. *After* hooks run once at most, after
 * the commit. To refuse, throw `refusal(…)` of `service/runtime/errors`.
 */
export interface ResourceHooks<Record, Values, Resources = unknown> {
  /** `values` are checked, defaults in. */
  beforeCreate?(values: Readonly<Values>, context: HookContext<Resources>): Returned<Values>;
  /** `changes` are checked, on PUT all fields; `record` is the stored one, locked. */
  beforeUpdate?(
    changes: Readonly<Partial<Values>>,
    record: Record,
    context: HookContext<Resources>,
  ): Returned<Partial<Values>>;
  beforeDelete?(record: Record, context: HookContext<Resources>): void | Promise<void>;
  afterCreate?(record: Record, context: HookContext<Resources>): void | Promise<void>;
  /** `former` is the record as it was. */
  afterUpdate?(
    record: Record,
    former: Record,
    context: HookContext<Resources>,
  ): void | Promise<void>;
  afterDelete?(record: Record, context: HookContext<Resources>): void | Promise<void>;
}

/** Hooks by resource name. */
export type Hooks = {
  readonly [resource: string]: ResourceHooks<unknown, unknown> | undefined;
};

export type HookName = keyof ResourceHooks<unknown, unknown>;

/**
 * Hooks whose *before* hooks return nothing but fields of their resource. The compiler takes further keys of
 * what a function returns, so that the type of `createApp` compares them.
 */
export type CheckedHooks<Own, Known> = {
  readonly [Name in keyof Own]: Name extends keyof Known
    ? NonNullable<Known[Name]> extends ResourceHooks<infer _Record, infer Values, infer _Resources>
      ? CheckedReturns<Own[Name], Values>
      : unknown
    : unknown;
};

type CheckedReturns<Own, Values> = {
  readonly [Hook in keyof Own]: Hook extends "beforeCreate" | "beforeUpdate"
    ? [UnknownKeys<Own[Hook], Values>] extends [never]
      ? unknown
      : { readonly "returns what is no field": UnknownKeys<Own[Hook], Values> }
    : unknown;
};

type UnknownKeys<Hook, Values> = Hook extends (...given: never[]) => infer Result
  ? KeysOf<Exclude<Awaited<Result>, Nothing>, Values>
  : never;

type KeysOf<Result, Values> = Result extends object
  ? Exclude<keyof Result, keyof Values | "id" | "createdAt" | "updatedAt">
  : never;
