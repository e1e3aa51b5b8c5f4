import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";

/** Watches every pool of this process for work that holds a connection and asks for another. */
export interface WatchedPools {
  /** Where work in a transaction asked for a second connection since the last call, as stacks. */
  seconds(): readonly string[];
  /** How many transactions were begun. */
  transactions(): number;
  close(): void;
}

/** Of the asynchronous work that has begun a transaction. */
interface Hold {
  isOver: boolean;
}

export function watchPools(): WatchedPools {
  const holds = new AsyncLocalStorage<Hold>();
  const seconds: string[] = [];
  let begun = 0;
  const { connect } = pg.Pool.prototype;
  const { query } = pg.Client.prototype;

  function watchedConnect(this: pg.Pool, ...given: unknown[]): unknown {
    const stack = String(new Error("asked").stack);
    // No request waits for what a timer asks: after a while, which statements wait for a lock.
    const isByTimer = stack.includes("Timeout._onTimeout");
    if (holds.getStore()?.isOver === false && !isByTimer) seconds.push(stack);
    return Reflect.apply(connect, this, given);
  }

  function watchedQuery(this: pg.Client, ...given: unknown[]): unknown {
    const [text] = given;
    if (typeof text === "string" && text.startsWith("begin")) {
      begun += 1;
      holds.enterWith({ isOver: false });
    }
    const hold = holds.getStore();
    if (hold !== undefined && (text === "commit" || text === "rollback")) hold.isOver = true;
    return Reflect.apply(query, this, given);
  }

  Object.assign(pg.Pool.prototype, { connect: watchedConnect });
  Object.assign(pg.Client.prototype, { query: watchedQuery });
  return {
    seconds: () => seconds.splice(0),
    transactions: () => begun,
    close: () => {
      Object.assign(pg.Pool.prototype, { connect });
      Object.assign(pg.Client.prototype, { query });
    },
  };
}
