import { v7 } from "uuid";
import type { Queryable } from "../../db/index.js";
import type { NewJob } from "../job/definition.js";

/**
 * Stores a job in the caller's transaction and resolves with its id. Replaces a waiting job of the same name and key.
 */
export async function insertJob(tx: Queryable, job: NewJob): Promise<string> {
  const [row] = await tx.query<{ id: string }>(
    `insert into service.jobs
       (id, name, key, input, priority, tries, due_at, scheduled_at, traceparent)
     values ($1, $2, $3, $4, $5, $6, coalesce($7, now()), coalesce($7, now()), $8)
     on conflict (name, key) where key is not null and state = 'waiting'
     do update set
       input = excluded.input,
       priority = excluded.priority,
       tries = excluded.tries,
       due_at = excluded.due_at,
       scheduled_at = excluded.scheduled_at,
       attempt = 0,
       started_at = null,
       error = null,
       schedule = null,
       traceparent = excluded.traceparent
     returning id`,
    [v7(), job.name, job.key, job.input, job.priority, job.tries, job.at, job.traceparent],
  );
  return row?.id ?? "";
}
