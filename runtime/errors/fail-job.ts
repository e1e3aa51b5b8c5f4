import { underFormerName } from "./former-name.js";

/** Thrown in a job to fail it without a retry. Create one with `failJob`. */
export class JobFailed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "JobFailed";
  }
}

/**
 * Fails a job immediately: `throw failJob("The order was deleted")`.
 *
 * @example
 * ```ts
 * import { failJob } from "service-runtime/errors";
 * import { z } from "zod";
 * import { createApp } from "./generated/app.js";
 *
 * const app = await createApp({
 *   jobs: {
 *     remind: {
 *       input: z.object({ taskId: z.uuid() }),
 *       run: async ({ taskId }, { resources, log }) => {
 *         const task = await resources.tasks.get(taskId);
 *         if (task === null) throw failJob("The task was deleted");
 *         log.info({ title: task.title }, "A task is due");
 *       },
 *     },
 *   },
 * });
 * await app.listen();
 * ```
 */
export function failJob(reason: string): JobFailed {
  return new JobFailed(reason);
}

/**
 * @deprecated Use `failJob`.
 * @alias
 */
export const giveUp: typeof failJob = (reason) =>
  underFormerName(failJob(reason), "giveUp", "failJob");

/**
 * @deprecated Use `JobFailed`.
 * @alias
 */
export const GiveUp = JobFailed;
/** @deprecated Use `JobFailed`. */
export type GiveUp = JobFailed;
