/** Milliseconds for which a client counts as present after its last request. */
const presenceMs = 5_000;

/** Detects whether more than one client sends requests. */
export interface Presence {
  /** Called when a request of that client begins; the time is in milliseconds of a monotonic clock. */
  begin(client: string, time: number): void;
  /** Whether a client other than the most recent one has begun a request in the last five seconds. */
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
