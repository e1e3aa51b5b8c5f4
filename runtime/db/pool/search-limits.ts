import type pg from "pg";
import { QueueTimeout } from "../statement/sqlstate.js";
import type { Connections } from "./connections.js";

/** The limits of a search of words. Times are those of `performance.now()`. */
export interface SearchLimits {
  /**
   * When it must have begun, after all its waits: for other statements of its client, for a slot and for a connection.
   */
  readonly beginsBy: number;
  /** Milliseconds that it may run if it begins now. */
  leftMs(): number;
}

/** Milliseconds that a search may wait, and that it may run. */
const searchMs = 5_000;

/** The minimum run time in milliseconds: a request to cancel a search must not arrive before the search. */
const fewestMs = 50;

/** When the searches of a request that begins them now must have ended. */
export function searchEnd(): number {
  return performance.now() + searchMs;
}

/** The limits of a search from now on; with `until`, of one that must have ended by then. */
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
