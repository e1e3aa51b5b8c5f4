import type { AppDatabase } from "../app-database.js";
import type { AppFiles, AppMail } from "../kit.js";
import type { Log } from "../log.js";
import type { Judged } from "../tools.js";

/** The schema of a job's input: zod, or any other implementation of Standard Schema (https://standardschema.dev). */
export interface JobInput<Input = unknown, Output = unknown> {
  readonly "~standard": {
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => Judged<Output> | Promise<Judged<Output>>;
  };
}

/** The input type with which a job is added. */
export type InputOf<Schema> = Schema extends JobInput<infer Input, infer _Output> ? Input : never;

/** The type of the validated input with which a job runs. */
export type OutputOf<Schema> = Schema extends JobInput<infer _Input, infer Output> ? Output : never;

/** Input schemas by job name. */
export type JobInputs = Readonly<Record<string, JobInput>>;

/**
 * Background jobs: `app.jobs`, `context.jobs`.
 *
 * @example
 * ```ts
 * import { z } from "zod";
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({
 *   jobs: { remind: { input: z.object({ taskId: z.uuid() }), run: () => {} } },
 *   hooks: {
 *     tasks: {
 *       beforeCreate: async (_values, { id, jobs }) => {
 *         await jobs.add("remind", { taskId: id }, { key: id });
 *       },
 *     },
 *   },
 * });
 * await app.listen();
 * ```
 */
export interface AppJobs<Inputs = JobInputs> {
  /** Stores a job that runs after the transaction commits, and resolves with its id. Throws if the input is invalid. */
  add<Name extends keyof Inputs & string>(
    name: Name,
    input: InputOf<Inputs[Name]>,
    options?: JobOptions,
  ): Promise<string>;
}

/** Options of `jobs.add`. */
export interface JobOptions {
  /** When the job runs; by default, or if the time has passed, immediately. */
  readonly at?: Date;
  /** Replaces a waiting job with this name and key; if one is running, the new job runs after it. */
  readonly key?: string;
  /** From -10 to 10, 0 by default; lower numbers run first. */
  readonly priority?: number;
}

/** The context of a job. */
export interface JobContext<Resources = unknown, Inputs = JobInputs> {
  readonly id: string;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** The time for which the job was first scheduled. */
  readonly scheduledAt: Date;
  /** Always null: jobs act for the app itself. */
  readonly caller: null;
  /** The job's transaction if it has `transaction: true`; otherwise the app's database. */
  readonly db: AppDatabase;
  /** The resources, without access rules and policies. */
  readonly resources: Resources;
  readonly jobs: AppJobs<Inputs>;
  readonly mail: AppMail;
  readonly files: AppFiles;
  /** The log, whose lines have the job's name and id, and the attempt. */
  readonly log: Log;
  /** The W3C trace context of the code that added the job; null if it had none. */
  readonly traceparent: string | null;
  /** Aborted when the job times out, and when the server stops. */
  readonly signal: AbortSignal;
}

/**
 * Work outside of the request that asks for it. A job may run more than once.
 *
 * @example
 * ```ts
 * import { z } from "zod";
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({
 *   jobs: {
 *     cleanUp: {
 *       input: z.object({ before: z.iso.date() }),
 *       transaction: true,
 *       timeout: 300,
 *       run: async ({ before }, { db }) => {
 *         await db.query("delete from tasks where status = 'done' and due_on < $1", [before]);
 *       },
 *     },
 *   },
 * });
 * await app.listen();
 * ```
 */
export interface Job<Schema = JobInput, Resources = unknown, Inputs = JobInputs> {
  readonly input: Schema;
  /**
   * Errors are logged, and the job is retried with exponential backoff; `throw failJob("…")` from
   * `service-runtime/errors` ends it without a retry.
   */
  run(input: OutputOf<Schema>, context: JobContext<Resources, Inputs>): unknown;
  /** The maximum number of attempts, from 1 to 100; 10 by default. */
  readonly maxAttempts?: number;
  /** The timeout of one attempt in seconds, from 1 to 86,400; 60 by default. */
  readonly timeout?: number;
  /** The maximum number of jobs with this name that run concurrently, on all machines. */
  readonly concurrency?: number;
  /**
   * Whether the job's database changes and its completion are committed in one transaction, so that they happen exactly
   * once.
   */
  readonly transaction?: boolean;
  /** @deprecated Use `maxAttempts`. */
  readonly tries?: number;
  /** @deprecated Use `timeout`. */
  readonly seconds?: number;
  /** @deprecated Use `concurrency`. */
  readonly together?: number;
}

/** Jobs by name; `Inputs` has their input schemas. */
export type Jobs<Inputs, Resources = unknown> = {
  readonly [Name in keyof Inputs]: Job<Inputs[Name], Resources, Inputs>;
};

/**
 * The times at which a job is added.
 *
 * @example
 * ```ts
 * import { z } from "zod";
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({
 *   jobs: { report: { input: z.object({}), run: () => {} } },
 *   schedule: { weekly: { job: "report", cron: "0 7 * * mon", timezone: "Europe/Berlin" } },
 * });
 * await app.listen();
 * ```
 */
export interface ScheduleEntry<Name = string, Input = unknown> {
  readonly job: Name;
  /** Minute, hour, day, month and weekday, such as `0 6 * * 1-5`; or `@hourly`, `@daily`, `@weekly`, `@monthly`. */
  readonly cron: string;
  /** An IANA time zone; UTC by default. */
  readonly timezone?: string;
  /** The maximum age at which a missed time still runs: `30m`, `6h`, `1d`. By default, missed times are skipped. */
  readonly catchUp?: string;
  /** Whether the job is added even if the previous one has not ended. */
  readonly overlap?: boolean;
  /** The job's input; `{}` by default. */
  readonly input?: Input;
}

/** Schedules by name. */
export type Schedules<Inputs> = {
  readonly [name: string]: {
    readonly [Name in keyof Inputs & string]: ScheduleEntry<Name, InputOf<Inputs[Name]>>;
  }[keyof Inputs & string];
};
