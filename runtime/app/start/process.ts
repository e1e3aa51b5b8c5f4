import type { Config } from "../../config/index.js";
import type { Task } from "../../data/at-start.js";
import type { TestSetup } from "./test-setup.js";

/**
 * The role of this process. `alone` serves, and so does a `worker`, which its `primary` supervises. `work` only runs up
 * to that number of concurrent jobs. `task` and `routes` do something else and exit.
 */
export type Role =
  | { readonly kind: "alone" | "primary" }
  | { readonly kind: "worker"; readonly isOfNewRelease: boolean }
  | { readonly kind: "work"; readonly concurrency: number }
  | { readonly kind: "task"; readonly task: Task }
  | { readonly kind: "routes"; readonly descriptor: number }
  | { readonly kind: "test"; readonly setup: TestSetup };

/** The role of this process, and the configuration of the app in its folder. */
export interface Process {
  readonly root: string;
  readonly role: Role;
  readonly config: Config;
}
