import type { AppDatabase } from "./app-database.js";
import type { Caller } from "./caller.js";
import type { Log } from "./log.js";

/** What a tool of the app's own may use. */
export interface ToolContext<Resources = unknown> {
  /** Whose token the agent uses. */
  readonly caller: Caller;
  readonly db: AppDatabase;
  /** The resources without access rules and policies; `resources.as(caller)` has them. */
  readonly resources: Resources;
  readonly log: Log;
  /** The request's, as sent (W3C Trace Context); null without a sound one. */
  readonly traceparent: string | null;
  /** Aborted when the agent no longer waits for the answer. */
  readonly signal: AbortSignal;
}

/**
 * What judges a tool's input and tells agents what it is: a zod object, or any other schema of Standard Schema that can
 * say itself as JSON Schema (https://standardschema.dev).
 */
export interface ToolInput<Value = unknown> {
  readonly "~standard": {
    readonly types?: { readonly output: Value } | undefined;
    readonly validate: (value: unknown) => Judged<Value> | Promise<Judged<Value>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/** A sound value, or what is wrong with it. */
export type Judged<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly InputIssue[] };

export interface InputIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** A tool of the app's own, for agents. */
export interface Tool<Value = unknown, Resources = unknown> {
  /** For agents: what it does, and when to use it. */
  readonly description: string;
  readonly input: ToolInput<Value>;
  /**
   * An object is the result; any other value is put into one as `result`. What it throws is answered as in an own route:
   * `refusal(409, "…")` refuses.
   */
  run(input: Value, context: ToolContext<Resources>): unknown;
}

/** Tools by name; `Values` are what their inputs are judged to be. */
export type Tools<Values, Resources = unknown> = {
  readonly [Name in keyof Values]: Tool<Values[Name], Resources>;
};
