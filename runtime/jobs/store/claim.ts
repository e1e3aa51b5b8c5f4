import type { Queryable } from "../../db/index.js";
import type { ClaimedJob, HeldJob, JobKinds } from "../job/definition.js";

/** Which jobs may be claimed, how many, and for how long. */
export interface Claim {
  readonly kinds: JobKinds;
  readonly most: number;
  readonly leaseSeconds: number;
  /** Completed jobs of this process, which are deleted first. */
  readonly done: readonly HeldJob[];
  /** The current time; null for PostgreSQL's, which is the same for all machines. */
  readonly now: Date | null;
}

/** Claims jobs that are due. Other processes skip them as long as the lease is renewed. */
export async function claimJobs(db: Queryable, claim: Claim): Promise<readonly ClaimedJob[]> {
  const { kinds, most, leaseSeconds, now, done } = claim;
  if (most < 1 && done.length === 0) return [];
  const claimed = await db.query<ClaimedJob>(
    `select id, name, input, priority, key, attempt, tries, due_at as "dueAt",
       scheduled_at as "scheduledAt", claim, traceparent
     from service.claim_jobs($1, $2, $3, $4, $5, $6, $7)`,
    [
      [...kinds.keys()],
      [...kinds.values()].map(({ concurrency }) => concurrency),
      most,
      leaseSeconds,
      now,
      done.map(({ id }) => id),
      done.map(({ claim: held }) => held),
    ],
  );
  return claimed.toSorted(
    (one, other) => one.priority - other.priority || one.dueAt.getTime() - other.dueAt.getTime(),
  );
}

/** Extends the leases of jobs that no other process has taken over. Skips jobs locked by a statement that ends them. */
export async function renewLeases(
  db: Queryable,
  jobs: readonly HeldJob[],
  leaseSeconds: number,
): Promise<void> {
  await db.query(
    `update service.jobs
     set leased_until = now() + $3 * interval '1 second'
     where id in (
       select jobs.id
       from service.jobs
       join unnest($1::uuid[], $2::uuid[]) as held (id, claim)
         on held.id = jobs.id and held.claim = jobs.claim
       for update of jobs skip locked
     )`,
    [jobs.map(({ id }) => id), jobs.map(({ claim }) => claim), leaseSeconds],
  );
}
