/** Thrown in a job: it has failed and is not tried again. Make one with `giveUp`. */
export class GiveUp extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "GiveUp";
  }
}

/** Ends a job as failed at once: `throw giveUp("The order was deleted")`. */
export function giveUp(reason: string): GiveUp {
  return new GiveUp(reason);
}
