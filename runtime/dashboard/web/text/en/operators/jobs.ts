import { inNumber } from "../en.js";

/** A number and its formatted text. */
interface Counted {
  readonly count: number;
  readonly shown: string;
}

/** Texts of the operators' jobs page; separate, so that the sign-in page does not load them. */
export const enJobs = Object.freeze({
  title: "Jobs",
  tabs: { jobs: "Jobs", schedule: "Schedules", day: "Last day" },
  job: "Job",
  state: "State",
  states: { waiting: "waiting", running: "running", failed: "failed", done: "done" },
  any: "any",
  stateIs: (state: string) => `State: ${state}`,
  nameIs: (name: string) => `Job: ${name}`,
  refresh: "Refresh",
  none: "No jobs are waiting, running or failed. Jobs that are done are deleted.",
  noneSuch: "No job matches.",
  showAll: "Show all jobs",
  forbidden: "Your role may not see jobs.",
  missing: "This app has no jobs.",
  more: "Show older jobs",
  tries: "Attempts",
  triesOf: (begun: string, most: string) => `${begun} of ${most}`,
  when: "When",
  due: (time: string) => `due ${time}`,
  overdue: "due now",
  began: (time: string) => `began ${time}`,
  failedAt: (time: string) => `attempted ${time}`,
  error: "Error",
  key: "Key",
  id: "ID",
  added: "Added",
  dueLabel: "Due",
  beganLabel: "Last attempt began",
  noError: "No attempt has failed.",
  lastError: "Why the last attempt failed",
  retry: "Retry",
  retryAll: "Retry all",
  retryAllTitle: (name: string | null) =>
    name === null ? "Retry all failed jobs?" : `Retry all failed jobs of ${name}?`,
  retryAllText: "Each gets all its attempts again, and runs as soon as a worker is available.",
  retried: (name: string) => `${name} will be retried`,
  delete: "Delete…",
  deleteTitle: (name: string) => `Delete this job of ${name}?`,
  deleteWaiting: "It will not run. This cannot be undone.",
  deleteFailed:
    "It will not be retried, and its error will no longer be shown. This cannot be undone.",
  deleteButton: "Delete job",
  deleted: (name: string) => `A job of ${name} is deleted`,
  runs: "It is running. It can be deleted once it has ended.",
  signInAgain: "Sign in again",
  schedule: {
    none: "None of the jobs of this app has a schedule.",
    name: "Schedule",
    times: "Times",
    last: "Last",
    next: "Next",
    never: "not yet",
    run: "Run now",
    runOf: (name: string) => `Run now: ${name}`,
    runTitle: (name: string) => `Run ${name} now?`,
    runText: (job: string) => `A job of ${job} is added, in addition to its scheduled ones.`,
    runButton: "Run now",
    ran: (name: string) => `A job of ${name} was added`,
  },
  day: {
    done: "Done by hour",
    failed: "Failed attempts by hour",
    total: (done: Counted, failed: Counted) =>
      `In the last 24 hours ${done.shown} ${inNumber(done.count, "job was", "jobs were")} done, and ${failed.shown} ${inNumber(failed.count, "attempt", "attempts")} failed.`,
    hour: "Hour",
    count: "Number",
    note: (zone: string) => `${zone}; the lighter hour is still in progress`,
  },
});
