/** Thrown in a job to fail it without a retry. Create one with `failJob`. */
export class JobFailed extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "JobFailed";
  }
}

/** Fails a job immediately: `throw failJob("The order was deleted")`. */
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
