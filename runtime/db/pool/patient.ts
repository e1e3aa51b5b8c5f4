import type pg from "pg";
import type { Queryable } from "../statement/database.js";
import { cancelStatement } from "./cancel.js";
import { inTurn, type LockWatch } from "./lock-watch.js";
import { whenOver } from "./when-over.js";

interface Patience {
  readonly client: pg.ClientBase;
  readonly pid: number;
  readonly watch: LockWatch;
  /** Milliseconds that a statement may take, excluding its waits for locks. */
  readonly statementMs: number;
  readonly onWait: ((ms: number) => void) | undefined;
}

/** Milliseconds within which PostgreSQL has to confirm a cancellation. */
const answerMs = 5_000;

/**
 * Wraps the connection of a transaction whose statements may wait for locks longer than they may run. PostgreSQL's own
 * limit includes such waits, so this process cancels a statement that runs too long without waiting.
 */
export function patiently(
  { query }: Queryable,
  { client, pid, watch, statementMs, onWait }: Patience,
): Queryable & { wasCancelled(): boolean } {
  let wasCancelled = false;

  function inTime<T>(left: () => number, work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let stop = whenOver(left, () => {
        wasCancelled = true;
        cancelStatement(client);
        // `pg`'s own message for a silent server.
        const silent = setTimeout(() => reject(new Error("Query read timeout")), answerMs);
        stop = () => clearTimeout(silent);
      });
      work.then(resolve, reject).finally(() => stop());
    });
  }

  async function run<Row>(text: string, values?: readonly unknown[]): Promise<readonly Row[]> {
    const begun = performance.now();
    let waited = 0;
    const note = (ms: number): void => {
      waited += ms;
      onWait?.(ms);
    };
    const left = () => statementMs + waited - (performance.now() - begun);
    return watch.during(pid, note, () => inTime(left, query<Row>(text, values)));
  }

  return {
    wasCancelled: () => wasCancelled,
    query: inTurn(run),
  };
}
