import type { NewJob } from "../../jobs/index.js";
import type { JobDesk, JobOptions } from "../../own-code/index.js";
import { nearest } from "../../values/nearest.js";
import { checkInput } from "./input.js";
import type { JobsOfApp } from "./read.js";

/** Maximum length of a key in characters; keys are indexed. */
const maxKey = 200;
const maxPriority = 10;

/** Validates the jobs that app code adds, and wakes the worker once they are committed. */
export interface Desk extends JobDesk {
  /** Registers a listener that is called when jobs have been committed. */
  onStored(listener: () => void): void;
}

export function newDesk({ jobs, kinds }: JobsOfApp): Desk {
  let wake = () => {};
  return {
    onStored: (listener) => {
      wake = listener;
    },
    wake: () => wake(),
    check: async (name, input, options = {}) => {
      const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
      if (job === undefined) throw new TypeError(`jobs.add: ${unknownName(name, jobs)}`);
      const problem = problemOf(options);
      if (problem !== null) throw new TypeError(`jobs.add("${name}"): ${problem}`);
      const checked = await checkInput(job.input, input);
      if ("problem" in checked) {
        throw new TypeError(`jobs.add("${name}"): the input is invalid: ${checked.problem}`);
      }
      const { at = null, key = null, priority = 0 } = options;
      const { maxAttempts = 1 } = kinds.get(name) ?? {};
      return {
        name,
        input: checked.json,
        at,
        key,
        priority,
        tries: maxAttempts,
      } satisfies Omit<NewJob, "traceparent">;
    },
  };
}

function unknownName(name: string, jobs: JobsOfApp["jobs"]): string {
  const close = nearest(String(name), Object.keys(jobs));
  const hint = close === null ? "" : `; did you mean "${close}"?`;
  return `there is no job "${name}"${hint}`;
}

/** Returns the problem with the options; null if they are valid. */
function problemOf({ at, key, priority }: JobOptions): string | null {
  if (at !== undefined && !isStorable(at)) return '"at" must be a Date in the years 1 to 9999';
  if (key !== undefined && !isKey(key)) {
    return `"key" must be text of 1 to ${maxKey} characters`;
  }
  if (priority === undefined) return null;
  const isSound = Number.isInteger(priority) && Math.abs(priority) <= maxPriority;
  return isSound
    ? null
    : `"priority" must be a whole number from -${maxPriority} to ${maxPriority}`;
}

function isStorable(at: unknown): boolean {
  if (!(at instanceof Date) || Number.isNaN(at.getTime())) return false;
  return at.getUTCFullYear() >= 1 && at.getUTCFullYear() <= 9999;
}

function isKey(key: unknown): boolean {
  if (typeof key !== "string" || key.includes("\0") || !key.isWellFormed()) return false;
  return key.length >= 1 && key.length <= maxKey;
}
