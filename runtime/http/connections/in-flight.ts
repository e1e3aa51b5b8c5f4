import type { ServerResponse } from "node:http";
import type { Connection } from "./connection.js";

/** How many requests the process is at. */
export interface InFlight {
  begin(): void;
  /** An answer has been sent, by a handler that is done. */
  end(): void;
  /** An answer is over, sent or not, while its handler may still be at work: it counts until that settles. */
  abandon(response: ServerResponse): void;
  /** True when no further one should be begun. */
  isOver(): boolean;
}

/** Milliseconds for which a count holds. */
const countMs = 20;

/**
 * Counts what is running, and where that is many, only what costs something: a client that has not
 * sent its body, or that is being sent its answer, costs a connection and keeps nobody else waiting.
 */
export function newInFlight(connections: ReadonlyMap<unknown, Connection>, most: number): InFlight {
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
      if (running < most) return false;
      const now = performance.now();
      if (now - countedAt > countMs) {
        countedAt = now;
        count();
      }
      return atWork >= most;
    },
  };
}

const works = new WeakMap<ServerResponse, Promise<unknown>>();

/** Counts a request as in flight until its work has settled, even when its client has gone before. */
export function attachWork(response: ServerResponse, work: Promise<unknown>): void {
  works.set(response, work);
}

/** What was attached last; undefined where nothing was. */
function workOf(response: ServerResponse): Promise<unknown> | undefined {
  return works.get(response);
}
