/** Milliseconds for which a client is present after its last request. */
const presenceMs = 5_000;

/** Notices whether one client sends requests or several do. */
export interface Presence {
  /** A request of that client begins at that time, in milliseconds of a clock that never jumps. */
  begin(client: string, time: number): void;
  /** Whether another one than the last has begun requests in the last five seconds. */
  hasSeveral(time: number): boolean;
}

export function newPresence(): Presence {
  let last = { client: "", time: Number.NEGATIVE_INFINITY };
  let othersAt = Number.NEGATIVE_INFINITY;
  return {
    begin(client, time) {
      if (client !== last.client) {
        othersAt = last.time;
        last = { client, time };
      }
      last.time = time;
    },
    hasSeveral: (time) => time - othersAt < presenceMs,
  };
}
