import type { AppDatabase } from "./app-database.js";
import type { Caller } from "./caller.js";
import type { Log } from "./log.js";

/** The context of a tool. */
export interface ToolContext<Resources = unknown> {
  /** The account whose token the agent uses. */
  readonly caller: Caller;
  readonly db: AppDatabase;
  /** The resources without access rules and policies; `resources.as(caller)` applies them. */
  readonly resources: Resources;
  readonly log: Log;
  /** The request's `traceparent` header (W3C Trace Context); null if it is missing or malformed. */
  readonly traceparent: string | null;
  /** Aborted when the agent disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Validates a tool's input and describes it to agents: a zod object, or another Standard Schema that can be converted
 * to JSON Schema (https://standardschema.dev).
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

/** The valid value, or the issues found. */
export type Judged<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly InputIssue[] };

export interface InputIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/**
 * A tool of the app for agents (MCP).
 *
 * @example
 * ```ts
 * import { z } from "zod";
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({
 *   tools: {
 *     countOpen: {
 *       description: "Counts the tasks that are still open.",
 *       input: z.object({}),
 *       run: (_input, { resources }) => resources.tasks.count({ where: { status: "open" } }),
 *     },
 *   },
 * });
 * await app.listen();
 * ```
 */
export interface Tool<Value = unknown, Resources = unknown> {
  /** Describes to agents what the tool does and when to use it. */
  readonly description: string;
  readonly input: ToolInput<Value>;
  /**
   * Runs the tool. A returned object is the result; any other value is wrapped as `{ result }`. Errors are handled as
   * in app routes: throw `refusal(409, "…")` to refuse the call.
   */
  run(input: Value, context: ToolContext<Resources>): unknown;
}

/** Tools by name; `Values` has the types of their validated inputs. */
export type Tools<Values, Resources = unknown> = {
  readonly [Name in keyof Values]: Tool<Values[Name], Resources>;
};
