/** Thrown in a job: it has failed and is not tried again. Make one with `failJob`. */
export class JobFailed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "JobFailed";
  }
}

/** Ends a job as failed at once: `throw failJob("The order was deleted")`. */
export function failJob(reason: string): JobFailed {
  return new JobFailed(reason);
}

/**
 * @deprecated Use `failJob`.
 * @alias
 */
export const giveUp = failJob;

/**
 * @deprecated Use `JobFailed`.
 * @alias
 */
export const GiveUp = JobFailed;
/** @deprecated Use `JobFailed`. */
export type GiveUp = JobFailed;
