import type { Calendar } from "../calendar/calendar.js";

/** What the queue needs to know about one kind of job. */
export interface JobKind {
  /** The maximum number of attempts. */
  readonly maxAttempts: number;
  /** The timeout of one attempt, in seconds. */
  readonly timeout: number;
  /** The maximum number that run at once on all machines; null for no limit but that of the processes. */
  readonly concurrency: number | null;
}

export type JobKinds = ReadonlyMap<string, JobKind>;

/** A job that is added at the times of a calendar. */
export interface Schedule {
  readonly name: string;
  readonly job: string;
  readonly calendar: Calendar;
  /** JSON. */
  readonly input: string;
  /** Milliseconds after which a missed time is dropped. */
  readonly catchUpMs: number;
  /** Whether a job is added while the previous one has not ended. */
  readonly overlap: boolean;
}

/** A job to be stored. */
export interface NewJob {
  readonly name: string;
  /** JSON. */
  readonly input: string;
  /** When to run; null: now. */
  readonly at: Date | null;
  readonly key: string | null;
  /** -10 to 10; lower values run first. */
  readonly priority: number;
  readonly tries: number;
  readonly traceparent: string | null;
}

/** A job that this process runs; no other process runs it while the lease holds. */
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
  /** Identifies this claim of the job. */
  readonly claim: string;
  readonly traceparent: string | null;
}

/** Identifies a claimed job in a statement. */
export type HeldJob = Pick<ClaimedJob, "id" | "claim">;
