import { type Access, type Queryable, uniqueViolation } from "../../db/index.js";

/**
 * A job as operators see it, with keys in the API's order. It omits the input, which they may not be allowed to read.
 */
export interface ShownJob {
  readonly id: string;
  readonly name: string;
  readonly state: JobState;
  readonly key: string | null;
  /** The number of attempts started. */
  readonly attempt: number;
  readonly tries: number;
  /** When the job may run. */
  readonly at: Date;
  readonly startedAt: Date | null;
  readonly error: string | null;
  readonly createdAt: Date;
}

export const jobStates = ["waiting", "running", "failed"] as const;
export type JobState = (typeof jobStates)[number];

export function isJobState(text: string): text is JobState {
  return jobStates.some((state) => state === text);
}

/** Filters of a list of jobs; null means all. */
export interface JobQuery {
  readonly name: string | null;
  readonly state: JobState | null;
  /** The list continues after this job; null to start at the newest. */
  readonly before: string | null;
  readonly limit: number;
}

/** Lists jobs, newest first. */
export function listJobs(
  db: Pick<Access, "read">,
  { name, state, before, limit }: JobQuery,
): Promise<readonly ShownJob[]> {
  const values: unknown[] = [limit];
  const conditions = ["true"];
  if (name !== null) conditions.push(`name = $${values.push(name)}`);
  // A literal, so that PostgreSQL uses the partial index of that state.
  if (state !== null) conditions.push(`state = '${state}'`);
  if (before !== null) conditions.push(`id < $${values.push(before)}`);
  return db.read<ShownJob>({
    text: `select id, name, state, key, attempt, tries, due_at as at, started_at as "startedAt", error,
       created_at as "createdAt"
     from service.jobs
     where ${conditions.join(" and ")}
     order by id desc
     limit $1`,
    values,
    cost: "scan",
    isVaried: true,
  });
}

/** Counts the waiting jobs, up to 100,000. */
export async function countWaiting(db: Pick<Access, "query">): Promise<number> {
  const [row] = await db.query<{ waiting: string }>(
    `select count(*) as waiting
     from (select from service.jobs where state = 'waiting' limit 100000) as counted`,
  );
  return Number(row?.waiting);
}

/** The outcome of an operator's change to a job. */
export type Changed = "done" | "unknown" | "wrong-state" | "key-waits";

/** Retries a failed job with the full number of attempts. */
export async function retryJob(db: Queryable, id: string): Promise<Changed> {
  try {
    const rows = await db.query(
      `with retried as (
         update service.jobs
         set state = 'waiting', attempt = 0, due_at = now(), failed_at = null, started_at = null
         where id = $1 and state = 'failed'
         returning id
       ), forgotten as (
         update service.schedules
         set last_failed = false
         where last_job in (select id from retried)
       )
       select id from retried`,
      [id],
    );
    return rows.length > 0 ? "done" : stateOf(db, id);
  } catch (error) {
    if (uniqueViolation(error) === "jobs_waiting_key_idx") return "key-waits";
    throw error;
  }
}

/** Deletes a job that is not running. */
export async function cancelJob(db: Queryable, id: string): Promise<Changed> {
  const rows = await db.query(
    `with cancelled as (
       delete from service.jobs
       where id = $1 and state in ('waiting', 'failed')
       returning id, state
     ), forgotten as (
       update service.schedules
       set last_job = null
       where last_job in (select id from cancelled where state = 'waiting')
     )
     select id from cancelled`,
    [id],
  );
  return rows.length > 0 ? "done" : stateOf(db, id);
}

async function stateOf(db: Queryable, id: string): Promise<"unknown" | "wrong-state"> {
  const rows = await db.query("select from service.jobs where id = $1", [id]);
  return rows.length > 0 ? "wrong-state" : "unknown";
}
