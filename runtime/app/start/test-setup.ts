import { AsyncLocalStorage } from "node:async_hooks";
import type { Config } from "../../config/index.js";
import type { Services } from "../../own-code/index.js";
import type { AfterHooks } from "../../resource/index.js";
import type { Uploads } from "../../uploads/at-start.js";
import type { RunningJobs } from "../jobs/open-jobs.js";

/** Data that `startTestApp` exchanges with the app that it creates. */
export interface TestSetup {
  /** Returns the configuration of the app in that folder, with a database that is ready for use. */
  configure(root: string): Promise<Config>;
  onMade(made: MadeApp): void;
}

export interface MadeApp {
  /** The methods of an `App` that start and stop it. */
  readonly app: { listen(): Promise<string>; close(): Promise<void> };
  readonly services: Services;
  readonly after: AfterHooks;
  readonly uploads: Uploads;
  /** Null for an app without jobs. */
  readonly jobs: RunningJobs | null;
}

/** Set while `startTestApp` creates and starts an app, which then neither exits the process nor handles its signals. */
export const testSetups = new AsyncLocalStorage<TestSetup>();
