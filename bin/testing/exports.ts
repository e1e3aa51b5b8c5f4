// `service-cli/testing`, for tests of app code.

export type { DueRun } from "../../runtime/jobs/index.js";
export type { KeptMail } from "../../runtime/mail/index.js";
export {
  type AboutAccount,
  type AppOf,
  startTestApp,
  type TestAccount,
  type TestApp,
  type TestJobs,
  type TestOptions,
} from "./start.js";
