import type { Config } from "../../config/index.js";
import type { Task } from "../../data/at-start.js";
import type { TestSetup } from "./test-setup.js";

/**
 * The role of this process. `alone` serves, as does a `worker`, which its `primary` supervises; `work` only runs jobs,
 * up to that number at a time; `task` and `routes` do something else and end.
 */
export type Role =
  | { readonly kind: "alone" | "primary" }
  | { readonly kind: "worker"; readonly isOfNewRelease: boolean }
  | { readonly kind: "work"; readonly concurrency: number }
  | { readonly kind: "task"; readonly task: Task }
  | { readonly kind: "routes"; readonly descriptor: number }
  | { readonly kind: "test"; readonly setup: TestSetup };

/** This process: its role, and the configuration of the app in that folder. */
export interface Process {
  readonly root: string;
  readonly role: Role;
  readonly config: Config;
}
