import type { Calendar } from "../calendar/calendar.js";

/** What the queue needs to know about one kind of job. */
export interface JobKind {
  readonly maxAttempts: number;
  /** The timeout of one attempt, in seconds. */
  readonly timeout: number;
  /** The maximum number that run concurrently on all machines; null if only the limit per process applies. */
  readonly concurrency: number | null;
}

export type JobKinds = ReadonlyMap<string, JobKind>;

/** Adds a job at the times of a calendar. */
export interface Schedule {
  readonly name: string;
  readonly job: string;
  readonly calendar: Calendar;
  /** JSON. */
  readonly input: string;
  /** Milliseconds after which a missed time is dropped. */
  readonly catchUpMs: number;
  /** Whether a job is added although the previous one has not ended. */
  readonly overlap: boolean;
}

/** A job to store. */
export interface NewJob {
  readonly name: string;
  /** JSON. */
  readonly input: string;
  /** When to run; null means now. */
  readonly at: Date | null;
  readonly key: string | null;
  /** -10 to 10; lower values run first. */
  readonly priority: number;
  readonly tries: number;
  readonly traceparent: string | null;
}

/** A job that this process runs. No other process runs it until the lease expires. */
export interface ClaimedJob {
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly input: string;
  readonly priority: number;
  readonly key: string | null;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  readonly tries: number;
  readonly dueAt: Date;
  readonly scheduledAt: Date;
  /** The id of this claim of the job. */
  readonly claim: string;
  readonly traceparent: string | null;
}

/** Identifies a claimed job in a statement. */
export type HeldJob = Pick<ClaimedJob, "id" | "claim">;
