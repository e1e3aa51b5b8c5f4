import type { AppDatabase } from "../app-database.js";
import type { AppFiles, AppMail } from "../kit.js";
import type { Log } from "../log.js";
import type { Judged } from "../tools.js";

/** What checks a job's input: a zod schema, or any other of Standard Schema (https://standardschema.dev). */
export interface JobInput<Input = unknown, Output = unknown> {
  readonly "~standard": {
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => Judged<Output> | Promise<Judged<Output>>;
  };
}

/** What a job is added with. */
export type InputOf<Schema> = Schema extends JobInput<infer Input, infer _Output> ? Input : never;

/** What a job runs with. */
export type OutputOf<Schema> = Schema extends JobInput<infer _Input, infer Output> ? Output : never;

/** The inputs of jobs by name. */
export type JobInputs = Readonly<Record<string, JobInput>>;

/** Jobs of the app's own code: `app.jobs`, `context.jobs`. */
export interface AppJobs<Inputs = JobInputs> {
  /**
   * Stores a job, which runs once the transaction is committed; resolves with its id. Throws where the input does not
   * fit.
   */
  add<Name extends keyof Inputs & string>(
    name: Name,
    input: InputOf<Inputs[Name]>,
    options?: JobOptions,
  ): Promise<string>;
}

/** How a job is added. */
export interface JobOptions {
  /** When it runs; now, if it is left out or past. */
  readonly at?: Date;
  /** A waiting job of this name and key is replaced; one that runs is followed by one more. */
  readonly key?: string;
  /** -10 to 10, 0 by default: lower ones first. */
  readonly priority?: number;
}

/** What a job may use. */
export interface JobContext<Resources = unknown, Inputs = JobInputs> {
  readonly id: string;
  /** 1 at first. */
  readonly attempt: number;
  /** When it was to run at first. */
  readonly scheduledAt: Date;
  readonly caller: null;
  /** The job's transaction, where it has one. */
  readonly db: AppDatabase;
  /** The resources, without access rules and policies. */
  readonly resources: Resources;
  readonly jobs: AppJobs<Inputs>;
  readonly mail: AppMail;
  readonly files: AppFiles;
  readonly log: Log;
  /** W3C trace context of what added the job; null without. */
  readonly traceparent: string | null;
  /** Aborted when the job runs out of time, or the server stops. */
  readonly signal: AbortSignal;
}

/** Work that outlives the request that asks for it. It may run more than once. */
export interface Job<Schema = JobInput, Resources = unknown, Inputs = JobInputs> {
  readonly input: Schema;
  /** What it throws is logged, and it is tried again; `throw failJob("…")` of `service-runtime/errors` ends it. */
  run(input: OutputOf<Schema>, context: JobContext<Resources, Inputs>): unknown;
  /** How often it is tried, 1 to 100; 10 by default. */
  readonly maxAttempts?: number;
  /** Seconds that one attempt may take, 1 to 86 400; 60 by default. */
  readonly timeout?: number;
  /** How many of them run at once, over all machines. */
  readonly concurrency?: number;
  /** Whether what it does with the database happens once, together with its end: in one transaction. */
  readonly transaction?: boolean;
  /** @deprecated Use `maxAttempts`. */
  readonly tries?: number;
  /** @deprecated Use `timeout`. */
  readonly seconds?: number;
  /** @deprecated Use `concurrency`. */
  readonly together?: number;
}

/** Jobs by name; `Inputs` are what checks their inputs. */
export type Jobs<Inputs, Resources = unknown> = {
  readonly [Name in keyof Inputs]: Job<Inputs[Name], Resources, Inputs>;
};

/** Times at which a job is added. */
export interface ScheduleEntry<Name = string, Input = unknown> {
  readonly job: Name;
  /** Minute, hour, day, month and weekday; or `@hourly`, `@daily`, `@weekly`, `@monthly`. */
  readonly cron: string;
  /** An IANA time zone; UTC by default. */
  readonly timezone?: string;
  /** How old a time that was missed may be to run late: `30m`, `6h`, `1d`; none by default. */
  readonly catchUp?: string;
  /** Whether it is added while its former job has not ended. */
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
