import type { RequestState } from "../request/index.js";
import type { Transaction } from "./statement/database.js";
import type { Runner } from "./statement/view.js";

/** Measures how long requests wait for the database: for connections and for statements. */
export function timedByRequest(runner: Runner): Runner {
  return {
    query: (statement, origin) => during(origin, () => runner.query(statement, origin)),
    read: (plan, origin) => during(origin, () => runner.read(plan, origin)),
    attempt: (statement, origin, onTurn) =>
      during(origin, () => runner.attempt(statement, origin, onTurn)),
    // Only statements count, since app code may do other things between them.
    transaction: (work, options, origin) => {
      const apart = (connection: Transaction) =>
        except(origin, () => work(timedIn(origin, connection)));
      return during(origin, () => runner.transaction(apart, options, origin));
    },
    close: runner.close,
  };
}

/** The request whose time is recorded. */
interface Waiting {
  readonly request: RequestState | null;
}

function timedIn(waiting: Waiting, connection: Transaction): Transaction {
  return {
    query: (text, values) => during(waiting, () => connection.query(text, values)),
    afterCommit: connection.afterCommit,
  };
}

async function during<T>({ request }: Waiting, work: () => Promise<T>): Promise<T> {
  request?.database?.begin();
  try {
    return await work();
  } finally {
    request?.database?.end();
  }
}

async function except<T>({ request }: Waiting, work: () => Promise<T>): Promise<T> {
  request?.database?.end();
  try {
    return await work();
  } finally {
    request?.database?.begin();
  }
}
