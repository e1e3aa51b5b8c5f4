import { AsyncLocalStorage } from "node:async_hooks";
import type { Access, Database, Transaction } from "../statement/database.js";
import { statementOf } from "../statement/joined.js";

/**
 * Wraps a transaction as a database, for code that accepts either; its transactions are savepoints. Concurrent calls
 * run one after another, because savepoints must not overlap.
 */
export function databaseWithin(connection: Transaction): Database {
  const take = newTurns();
  const query: Access["query"] = (text, values) => take(() => connection.query(text, values));
  const access: Access = {
    query,
    read: (plan) => {
      const { text, values } = statementOf(plan);
      return query(text, values);
    },
    // A lock timeout ends the transaction, so `attempt` has nothing to return.
    attempt: query,
    transaction: (work) => take(() => runSavepoint(connection, work)),
  };
  const database: Database = {
    ...access,
    ofResource: () => access,
    // The transaction already belongs to a request.
    of: () => database,
    close: () => Promise.resolve(),
  };
  return database;
}

/** The name can be reused inside the savepoint: PostgreSQL then means the inner one. */
async function runSavepoint<T>(
  connection: Transaction,
  work: (connection: Transaction) => Promise<T>,
): Promise<T> {
  await connection.query("savepoint _own");
  const committed: (() => void)[] = [];
  const nested: Transaction = {
    query: connection.query,
    afterCommit: (next) => committed.push(next),
  };
  let result: T;
  try {
    result = await work(nested);
  } catch (error) {
    // If this fails too, the whole transaction fails, with the first error.
    await connection.query("rollback to savepoint _own; release savepoint _own").catch(() => {});
    throw error;
  }
  await connection.query("release savepoint _own");
  for (const next of committed) connection.afterCommit(next);
  return result;
}

/**
 * The queue slots that the running code holds. They distinguish a nested call of the holder, which would wait for
 * itself, from a concurrent call, which waits until the slot is free.
 */
const holding = new AsyncLocalStorage<ReadonlySet<object>>();

function newTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  const self = {};
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const held = holding.getStore();
    if (held?.has(self) === true) return Promise.reject(new Error(nestedUse));
    const turn = last.then(() => holding.run(new Set(held).add(self), work));
    last = turn.catch(() => {});
    return turn;
  };
}

const nestedUse =
  "Within db.transaction, use the database that is passed to its function: the outer one waits for the transaction";
