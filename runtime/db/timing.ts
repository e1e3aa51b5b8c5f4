import { type BusyTime, currentRequest } from "../request/index.js";
import type { Access, Database, Transaction } from "./statement/database.js";

/** Notes how long the requests that use the database wait for it: for connections and for statements. */
export function timedByRequest(database: Omit<Database, "of">): Omit<Database, "of"> {
  return {
    ...timedAccess(database),
    ofResource: (name) => timedAccess(database.ofResource(name)),
    close: database.close,
  };
}

function timedAccess(access: Access): Access {
  return {
    query: (text, values) => during(() => access.query(text, values)),
    read: (plan) => during(() => access.read(plan)),
    attempt: (text, values, onTurn) => during(() => access.attempt(text, values, onTurn)),
    // Its own code may do other things between the statements.
    transaction: (work, options) => {
      const time = currentRequest()?.database;
      const apart = (connection: Transaction) =>
        except(time, () => work(timedIn(connection, time)));
      return during(() => access.transaction(apart, options));
    },
  };
}

type Time = BusyTime | null | undefined;

function timedIn(connection: Transaction, time: Time): Transaction {
  return {
    query: (text, values) => during(() => connection.query(text, values), time),
    afterCommit: connection.afterCommit,
  };
}

async function during<T>(
  work: () => Promise<T>,
  time: Time = currentRequest()?.database,
): Promise<T> {
  time?.begin();
  try {
    return await work();
  } finally {
    time?.end();
  }
}

async function except<T>(time: Time, work: () => Promise<T>): Promise<T> {
  time?.end();
  try {
    return await work();
  } finally {
    time?.begin();
  }
}
