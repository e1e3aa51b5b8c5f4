import { requireFreshSession } from "../../auth/index.js";
import { refuse } from "../../errors/index.js";
import { type Answer, type Context, type HandledRoute, Parameters } from "../../http/index.js";
import {
  type Changed,
  cancelJob,
  isJobState,
  jobStates,
  listJobs,
  nextTime,
  readHours,
  readSchedules,
  retryJob,
  runNow,
  type Schedule,
  timeOf,
} from "../../jobs/index.js";
import { openToken, sealToken } from "../../secret/index.js";
import { isUuid } from "../../values/uuid.js";
import type { JobsOfApp } from "../jobs/read.js";

const path = "/_service/jobs";
const schedulePath = "/_service/schedule";

/** The routes of jobs, for the roles in `auth.operators`. `wake` is called when a job becomes due. */
export function jobRoutes(
  operators: readonly string[],
  { kinds, schedules }: Pick<JobsOfApp, "kinds" | "schedules">,
  wake: () => void,
): readonly HandledRoute[] {
  const access = operators;
  return [
    { method: "GET", path, access, handle: list },
    { method: "GET", path: `${path}/hours`, access, handle: showHours },
    { method: "POST", path: `${path}/:id/retry`, access, handle: retry },
    { method: "DELETE", path: `${path}/:id`, access, handle: remove },
    { method: "GET", path: schedulePath, access, handle: showSchedule },
    { method: "POST", path: `${schedulePath}/:name/run`, access, handle: run },
  ];

  async function retry(context: Context): Promise<Answer> {
    await requireFreshSession(context);
    const changed = await retryJob(context.services.db, idOf(context));
    answerOrRefuse(changed, "Only a failed job can be retried");
    wake();
    return { status: 204, json: null };
  }

  async function showSchedule({ services: { db } }: Context): Promise<Answer> {
    const names = schedules.map(({ name }) => name);
    const [stored, now] = await Promise.all([readSchedules(db, names), timeOf(db)]);
    const data = schedules.map((schedule) => {
      const { name, job, calendar } = schedule;
      const state = stored.find((one) => one.name === name);
      return {
        name,
        job,
        cron: calendar.cron,
        timezone: calendar.timezone,
        lastAt: state?.lastAt ?? null,
        lastState: state?.lastState ?? null,
        nextAt: upcoming(schedule, state?.nextAt, now),
      };
    });
    return { status: 200, json: JSON.stringify({ data }) };
  }

  async function run(context: Context): Promise<Answer> {
    await requireFreshSession(context);
    const { db } = context.services;
    const schedule =
      schedules.find(({ name }) => name === context.params.name) ?? refuse("NOT_FOUND");
    const tries = kinds.get(schedule.job)?.maxAttempts ?? 1;
    const next = nextTime(schedule, await timeOf(db));
    if (!(await runNow(db, { schedule, next, tries }))) {
      refuse("REFUSED", { error: "The previous job of this schedule has not finished" });
    }
    wake();
    return { status: 202, json: null };
  }
}

/** Returns the next time of a schedule; the stored time may have passed while no process ran jobs. */
function upcoming(schedule: Schedule, stored: Date | undefined, now: Date): Date {
  return stored !== undefined && stored.getTime() > now.getTime()
    ? stored
    : nextTime(schedule, now);
}

async function list({ services, query }: Context): Promise<Answer> {
  const { config, db } = services;
  const parameters = new Parameters(query);
  const perPage = parameters.takeInteger("perPage", { min: 1, max: 100, default: 25 });
  const filter = readFilter(parameters);
  const cursor = parameters.take("cursor") ?? "";
  const about = `jobs:${JSON.stringify([filter.name, filter.state])}`;
  const before = cursor === "" ? null : openToken(config, cursor, about);
  if (cursor !== "" && before === null) {
    parameters.reject("cursor", "Must be the meta.next of a page with these filters");
  }
  parameters.finish();
  const found = await listJobs(db, { ...filter, before, limit: perPage + 1 });
  const data = found.slice(0, perPage);
  const last = found.length > perPage ? data.at(-1) : undefined;
  const next = last === undefined ? null : sealToken(config, last.id, about);
  return { status: 200, json: JSON.stringify({ data, meta: { perPage, next } }) };
}

function readFilter(parameters: Parameters) {
  let name: string | null = null;
  let state: (typeof jobStates)[number] | null = null;
  for (const { param, field, operator, value } of parameters.takeFilters()) {
    if (operator !== null || (field !== "name" && field !== "state")) {
      parameters.reject(param, "Unknown parameter");
    } else if (field === "name") {
      if (value.includes("\0")) parameters.reject(param, "Is not the name of a job");
      name = value;
    } else if (isJobState(value)) state = value;
    else parameters.reject(param, `Must be one of ${jobStates.join(", ")}`);
  }
  return { name, state };
}

/** Returns the number of attempts that ended in each hour of the last day. */
async function showHours({ services: { db } }: Context): Promise<Answer> {
  return { status: 200, json: JSON.stringify({ data: await readHours(db) }) };
}

async function remove(context: Context): Promise<Answer> {
  await requireFreshSession(context);
  const changed = await cancelJob(context.services.db, idOf(context));
  answerOrRefuse(changed, "A running job cannot be deleted");
  return { status: 204, json: null };
}

function answerOrRefuse(changed: Changed, wrongState: string): void {
  if (changed === "unknown") refuse("NOT_FOUND");
  if (changed === "wrong-state") refuse("REFUSED", { error: wrongState });
  if (changed === "key-waits")
    refuse("REFUSED", { error: "Another job with the same key is waiting" });
}

function idOf({ params: { id = "" } }: Context): string {
  return isUuid(id) ? id.toLowerCase() : refuse("NOT_FOUND");
}
