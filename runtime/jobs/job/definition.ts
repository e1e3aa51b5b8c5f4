import type { Calendar } from "../calendar/calendar.js";

/** What the queue knows of one kind of job. */
export interface JobKind {
  /** How often it is tried. */
  readonly maxAttempts: number;
  /** Seconds that one attempt may take. */
  readonly timeout: number;
  /** How many run at once over all machines; null: as many as the processes take. */
  readonly concurrency: number | null;
}

/** The kinds of jobs by name. */
export type JobKinds = ReadonlyMap<string, JobKind>;

/** A job that is added at the times of a calendar. */
export interface Schedule {
  readonly name: string;
  readonly job: string;
  readonly calendar: Calendar;
  /** JSON. */
  readonly input: string;
  /** Milliseconds after which a time that was missed is dropped. */
  readonly catchUpMs: number;
  /** Whether a job is added while the former one has not ended. */
  readonly overlap: boolean;
}

/** A job to be stored. */
export interface NewJob {
  readonly name: string;
  /** JSON. */
  readonly input: string;
  /** Null: now. */
  readonly at: Date | null;
  readonly key: string | null;
  /** -10 to 10, lower first. */
  readonly priority: number;
  readonly tries: number;
  readonly traceparent: string | null;
}

/** A job that this process runs; while it holds the lease, no other does. */
export interface ClaimedJob {
  readonly id: string;
  readonly name: string;
  /** JSON. */
  readonly input: string;
  readonly priority: number;
  readonly key: string | null;
  /** Tries begun, this one included. */
  readonly attempt: number;
  readonly tries: number;
  readonly dueAt: Date;
  readonly scheduledAt: Date;
  /** Of this run alone. */
  readonly claim: string;
  readonly traceparent: string | null;
}

/** What a statement about a claimed job names it by. */
export type HeldJob = Pick<ClaimedJob, "id" | "claim">;
