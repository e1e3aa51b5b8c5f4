export { CalendarError, readCalendar } from "./calendar/calendar.js";
export type { ClaimedJob, JobKind, JobKinds, NewJob, Schedule } from "./job/definition.js";
export type { EndedTry, Ran, RunJob } from "./run/attempt.js";
export { type DueRun, runDueJobs } from "./run/due.js";
export { nextTime } from "./run/timetable.js";
export { openWorker, usualTimes, type Worker, type WorkerTimes } from "./run/worker.js";
export { insertJob } from "./store/add.js";
export { deleteDone } from "./store/end.js";
export { readHours } from "./store/hours.js";
export { findOrphans } from "./store/names.js";
export {
  type Changed,
  cancelJob,
  countWaiting,
  isJobState,
  type JobState,
  jobStates,
  listJobs,
  retryJob,
  type ShownJob,
} from "./store/operate.js";
export { readSchedules, runNow, timeOf } from "./store/schedules.js";
