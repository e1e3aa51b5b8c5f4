import type { Database } from "../../db/index.js";
import {
  type Changed,
  cancelJob,
  type JobState,
  listJobs,
  retryJob,
  type ShownJob,
} from "../../jobs/index.js";
import { oneLine } from "../../values/text.js";
import { isUuid } from "../../values/uuid.js";
import { withAppServices } from "../app/services.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { count, sayAside, sayDone, sayJson, sayTable, secondOf, warn } from "../report.js";

export interface JobOptions {
  readonly json?: true;
}

export interface JobsListOptions extends JobOptions {
  readonly name?: string;
  readonly state?: JobState;
}

/** Maximum number of listed jobs; longer lists would not be read. */
const most = 1_000;

export async function listAppJobs(
  root: string,
  { name, state, json }: JobsListOptions,
): Promise<ExitCode> {
  const found = await withAppServices(root, ({ db }) =>
    listJobs(db, { name: name ?? null, state: state ?? null, before: null, limit: most + 1 }),
  );
  const jobs = found.slice(0, most);
  if (found.length > most) warn(`These are the newest ${count(most, "job")}; there are more`);
  if (json) sayJson({ jobs });
  else if (jobs.length === 0) sayAside("No jobs match; finished jobs are deleted");
  else sayTable([heading, ...jobs.map(rowOf)]);
  return exit.done;
}

const heading = ["id", "name", "state", "tries", "at", "key", "error"];

/** Maximum number of characters of an error in a table. */
const maxError = 60;

function rowOf({ id, name, state, attempt, tries, at, key, error }: ShownJob): readonly string[] {
  return [
    id,
    name,
    state,
    `${attempt}/${tries}`,
    secondOf(at),
    key ?? "-",
    oneLine((error ?? "").split("\n", 1)[0] ?? "").slice(0, maxError),
  ];
}

export async function retryAppJob(
  root: string,
  id: string,
  { json }: JobOptions,
): Promise<ExitCode> {
  await change(root, id, { work: retryJob, wrongState: "it has not failed" });
  if (json) sayJson({ id });
  else sayDone(`The job ${id} will be retried`);
  return exit.done;
}

export async function cancelAppJob(
  root: string,
  id: string,
  { json }: JobOptions,
): Promise<ExitCode> {
  await change(root, id, { work: cancelJob, wrongState: "it runs" });
  if (json) sayJson({ id });
  else sayDone(`The job ${id} is deleted`);
  return exit.done;
}

interface Work {
  work(db: Database, id: string): Promise<Changed>;
  /** The reason why a job in another state is left unchanged. */
  readonly wrongState: string;
}

async function change(root: string, id: string, { work, wrongState }: Work): Promise<void> {
  const changed = isUuid(id) ? await withAppServices(root, ({ db }) => work(db, id)) : "unknown";
  if (changed === "done") return;
  const all = "npx service jobs list shows them all";
  if (changed === "unknown") throw new CommandRefused(`There is no job ${JSON.stringify(id)}`, all);
  const reason = changed === "key-waits" ? "another job with the same key is waiting" : wrongState;
  throw new CommandRefused(`The job ${id} was not changed: ${reason}`, all);
}
