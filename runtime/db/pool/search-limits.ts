import type pg from "pg";
import { QueueTimeout } from "../statement/sqlstate.js";
import type { Connections } from "./connections.js";

/** The limits of a full-text search. Times are by the clock of `performance.now()`. */
export interface SearchLimits {
  /**
   * The deadline for starting, after all waits: for other statements of its client, for a slot and for a connection.
   */
  readonly beginsBy: number;
  /** Returns how long the search may run if it starts now, in milliseconds. */
  leftMs(): number;
}

/** Maximum time in milliseconds that a search may wait, and that it may run. */
const searchMs = 5_000;

/** Minimum run time in milliseconds, so that a cancel request does not arrive before the search. */
const fewestMs = 50;

/** Returns the deadline for the searches of a request that starts them now. */
export function searchEnd(): number {
  return performance.now() + searchMs;
}

/** Returns the limits of a search that starts waiting now; `until` is its deadline, if there is one. */
export function searchLimits(until: number | undefined): SearchLimits {
  return {
    beginsBy: until ?? searchEnd(),
    leftMs: () => (until === undefined ? searchMs : Math.max(fewestMs, until - performance.now())),
  };
}

/**
 * Takes a connection from the pool.
 *
 * @throws {QueueTimeout} if none is free by that time.
 */
export async function connectBy(
  time: number,
  connections: Pick<Connections, "connect">,
): Promise<pg.PoolClient> {
  const connecting = connections.connect();
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => {
        reject(new QueueTimeout());
        // This connection came too late for the search, and is free for others.
        connecting.then(
          (client) => client.release(),
          () => {},
        );
      },
      Math.max(0, time - performance.now()),
    );
    connecting.then(resolve, reject).finally(() => clearTimeout(late));
  });
}
