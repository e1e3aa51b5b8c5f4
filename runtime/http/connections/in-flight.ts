import type { ServerResponse } from "node:http";
import type { Connection } from "./connection.js";

/** Counts the requests in progress. */
export interface InFlight {
  begin(): void;
  /** Called when a response has been sent and its handler has finished. */
  end(): void;
  /** Called when a response is over, sent or not; the request counts until its handler settles. */
  abandon(response: ServerResponse): void;
  /** Whether no further request should be started. */
  isOver(): boolean;
}

/** How long a count is reused, in milliseconds. */
const countMs = 20;

/**
 * Counts running requests; if there are many, only those that use more than a connection. A client that has not sent
 * its body, or is still receiving its response, does not delay others.
 */
export function newInFlight(connections: ReadonlyMap<unknown, Connection>, max: number): InFlight {
  let running = 0;
  let atWork = 0;
  let abandoned = 0;
  let countedAt = Number.NEGATIVE_INFINITY;

  function count(): void {
    atWork = abandoned;
    for (const { running: responses } of connections.values()) {
      for (const { req, headersSent } of responses) {
        if (req.complete && !headersSent) atWork += 1;
      }
    }
  }

  function end(): void {
    running -= 1;
    atWork = Math.max(0, atWork - 1);
  }

  return {
    begin() {
      running += 1;
      atWork += 1;
    },
    end,
    abandon(response) {
      const work = workOf(response);
      if (work === undefined) return end();
      abandoned += 1;
      void work.finally(() => {
        abandoned -= 1;
        end();
      });
    },
    isOver() {
      if (running < max) return false;
      const now = performance.now();
      if (now - countedAt > countMs) {
        countedAt = now;
        count();
      }
      return atWork >= max;
    },
  };
}

const works = new WeakMap<ServerResponse, Promise<unknown>>();

/** Counts a request as in flight until its work has settled, even after its client has disconnected. */
export function attachWork(response: ServerResponse, work: Promise<unknown>): void {
  works.set(response, work);
}

/** Returns the latest attached work; undefined if there is none. */
function workOf(response: ServerResponse): Promise<unknown> | undefined {
  return works.get(response);
}
