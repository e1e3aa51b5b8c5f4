import type { StartProblem } from "../../errors/index.js";
import {
  CalendarError,
  type JobKind,
  type JobKinds,
  readCalendar,
  type Schedule,
} from "../../jobs/index.js";
import type { Job, JobInput, ScheduleEntry } from "../../own-code/index.js";
import { nearest } from "../../values/nearest.js";
import { type Checked, checkInput } from "./input.js";

/** The option `jobs` of `createApp`: jobs by name. */
export type AnyJobs = Readonly<Record<string, Job>>;

/** The option `schedule` of `createApp`: schedules by name. */
export type AnySchedule = Readonly<Record<string, ScheduleEntry>>;

/** The parsed jobs and schedules of an app. */
export interface JobsOfApp {
  readonly jobs: AnyJobs;
  readonly kinds: JobKinds;
  readonly schedules: readonly Schedule[];
}

const usualAttempts = 10;
const usualTimeout = 60;

/** Minimum and maximum value of each option; `timeout` is in seconds, at most a day. */
const limits = {
  maxAttempts: [1, 100],
  timeout: [1, 86_400],
  concurrency: [1, 100_000],
} as const;

/** Names are stored with each job, and appear in lists. */
const namePattern = /^[A-Za-z][\w.-]{0,99}$/;
const badName = "a name has 1 to 100 letters, digits, - . and _, and begins with a letter";

/** Reads `jobs` and `schedule`; `problems` are mistakes, `warnings` concern deprecated names. */
export async function readJobs(
  jobs: AnyJobs,
  schedule: AnySchedule,
): Promise<
  JobsOfApp & {
    readonly problems: readonly StartProblem[];
    readonly warnings: readonly StartProblem[];
  }
> {
  const written = definedOf(jobs);
  const problems = written.flatMap(([name, job]) =>
    problemsOf(name, job).map((message) => ({ message: `jobs: ${message}`, hint: null })),
  );
  const warnings = warningsOf(written.map(([, job]) => job));
  const named = written.map(([name, job]) => [name, withCurrentNames(job)] as const);
  const own = Object.fromEntries(named);
  if (problems.length > 0) {
    return { jobs: own, kinds: new Map(), schedules: [], problems, warnings };
  }
  const kinds = new Map(named.map(([name, job]) => [name, kindOf(job)]));
  const read = await Promise.all(
    definedOf(schedule).map(([name, entry]) => readSchedule(name, entry, own)),
  );
  return {
    jobs: own,
    kinds,
    schedules: read.flatMap((one) => ("schedule" in one ? [one.schedule] : [])),
    problems: read.flatMap((one) => ("problem" in one ? [one.problem] : [])),
    warnings,
  };
}

function definedOf<Value>(named: Readonly<Record<string, Value>>): readonly [string, Value][] {
  return Object.entries(named).filter(([, value]) => value !== undefined);
}

function kindOf({ maxAttempts, timeout, concurrency }: Job): JobKind {
  return {
    maxAttempts: maxAttempts ?? usualAttempts,
    timeout: timeout ?? usualTimeout,
    concurrency: concurrency ?? null,
  };
}

/** Option names until version 0.5, with their replacements. */
const formerNames = { tries: "maxAttempts", seconds: "timeout", together: "concurrency" } as const;

function withCurrentNames(job: Job): Job {
  if (typeof job !== "object" || job === null) return job;
  const { tries, seconds, together, ...current } = job;
  const renamed = { maxAttempts: tries, timeout: seconds, concurrency: together };
  return { ...Object.fromEntries(definedOf(renamed)), ...current };
}

function warningsOf(jobs: readonly Job[]): readonly StartProblem[] {
  return Object.entries(formerNames)
    .filter(([former]) => jobs.some((job) => Object.hasOwn(Object(job), former)))
    .map(([former, current]) => ({
      message: `jobs: "${former}" is now called "${current}"`,
      hint: "rename it in the app's code: the former name is accepted until 0.7",
    }));
}

const keys = ["input", "run", ...Object.values(formerNames), "transaction"];

function problemsOf(name: string, job: Job): readonly string[] {
  if (!namePattern.test(name)) return [`"${name}" cannot be a name: ${badName}`];
  if (typeof job !== "object" || job === null) return [`"${name}" must be an object`];
  const given: Readonly<Record<string, unknown>> = { ...job };
  const found = Object.keys(given)
    .filter((key) => !keys.includes(key) && !Object.hasOwn(formerNames, key))
    .map((key) => `"${name}" has an unknown option "${key}"; the options are ${keys.join(", ")}`);
  if (typeof job.run !== "function") found.push(`"run" of "${name}" must be a function`);
  if (!isSchema(job.input)) {
    found.push(`"input" of "${name}" must be a zod schema, or another Standard Schema`);
  }
  for (const [former, current] of Object.entries(formerNames)) {
    const isBoth = given[former] !== undefined && given[current] !== undefined;
    if (isBoth) found.push(`"${name}" has both "${current}" and "${former}", its former name`);
    const key = given[former] === undefined ? current : former;
    const [min, max] = limits[current];
    const value = given[key];
    if (value === undefined) continue;
    if (typeof value === "number" && Number.isInteger(value) && value >= min && value <= max) {
      continue;
    }
    found.push(`"${key}" of "${name}" must be a whole number from ${min} to ${max}`);
  }
  if (!["boolean", "undefined"].includes(typeof job.transaction)) {
    found.push(`"transaction" of "${name}" must be true or false`);
  }
  return found;
}

function isSchema(input: unknown): input is JobInput {
  if ((typeof input !== "object" && typeof input !== "function") || input === null) return false;
  return typeof (input as Partial<JobInput>)["~standard"]?.validate === "function";
}

type ReadSchedule = { readonly schedule: Schedule } | { readonly problem: StartProblem };

async function readSchedule(
  name: string,
  entry: ScheduleEntry,
  jobs: AnyJobs,
): Promise<ReadSchedule> {
  const wrong = (message: string, hint: string | null = null) => ({
    problem: { message: `schedule: ${message}`, hint },
  });
  if (!namePattern.test(name)) return wrong(`"${name}" cannot be a name: ${badName}`);
  if (typeof entry !== "object" || entry === null) return wrong(`"${name}" must be an object`);
  const unknown = Object.keys(entry).find((key) => !scheduleKeys.includes(key));
  if (unknown !== undefined) {
    return wrong(
      `"${name}" has an unknown key "${unknown}"`,
      `the keys are ${scheduleKeys.join(", ")}`,
    );
  }
  const job = Object.hasOwn(jobs, entry.job) ? jobs[entry.job] : undefined;
  if (job === undefined) {
    const close = nearest(String(entry.job), Object.keys(jobs));
    const hint = close === null ? "add it to jobs" : `did you mean "${close}"?`;
    return wrong(`"${name}" names the job "${entry.job}", which does not exist`, hint);
  }
  const catchUpMs = readCatchUp(entry.catchUp);
  if (catchUpMs === null) {
    return wrong(`"catchUp" of "${name}" must be a duration such as 30m, 6h or 1d`);
  }
  if (!["boolean", "undefined"].includes(typeof entry.overlap)) {
    return wrong(`"overlap" of "${name}" must be true or false`);
  }
  const input = await checkInput(job.input, entry.input ?? {});
  if ("problem" in input) return wrong(`"input" of "${name}": ${input.problem}`);
  return scheduleWith({ name, entry, input, catchUpMs }, wrong);
}

const scheduleKeys = ["job", "cron", "timezone", "catchUp", "overlap", "input"];

function scheduleWith(
  {
    name,
    entry,
    input,
    catchUpMs,
  }: {
    readonly name: string;
    readonly entry: ScheduleEntry;
    readonly input: Checked;
    readonly catchUpMs: number;
  },
  wrong: (message: string) => ReadSchedule,
): ReadSchedule {
  const { job, cron, timezone = "UTC", overlap = false } = entry;
  try {
    const calendar = readCalendar(String(cron), String(timezone));
    return { schedule: { name, job, calendar, input: input.json, catchUpMs, overlap } };
  } catch (error) {
    if (error instanceof CalendarError) return wrong(`"${name}": ${error.message}`);
    throw error;
  }
}

const units: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Returns milliseconds; null if the string is malformed. */
function readCatchUp(written: string | undefined): number | null {
  if (written === undefined) return 0;
  const [, number = "", unit = ""] = /^(\d{1,6})([mhd])$/.exec(String(written)) ?? [];
  const ms = units[unit];
  return ms === undefined ? null : Number(number) * ms;
}
