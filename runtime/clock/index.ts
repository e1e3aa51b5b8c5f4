/** The runtime's only source of the current time, so that tests can change it. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
