import type { Access, Database } from "./statement/database.js";

/** Wraps the execution of a statement or a transaction. */
export type Around = <T>(work: () => Promise<T>) => Promise<T>;

/** Returns a database that runs its statements and transactions within `around`, and that cannot be closed. */
export function databaseAround(db: Database, around: Around): Database {
  const whole = viewOf(db.of(null));
  return viewOf(db);

  function viewOf(view: Database): Database {
    // Listed individually for speed, as in `databaseOn`: every hook of a write gets such a view.
    const { query, read, attempt, transaction } = accessAround(view, around);
    return {
      query,
      read,
      attempt,
      transaction,
      ofResource: (name) => accessAround(view.ofResource(name), around),
      of: (request) => (request === null ? whole : viewOf(view.of(request))),
      close: () => Promise.resolve(),
    };
  }
}

function accessAround(access: Access, around: Around): Access {
  return {
    query: (text, values) => around(() => access.query(text, values)),
    read: (plan) => around(() => access.read(plan)),
    attempt: (text, values, onTurn) => around(() => access.attempt(text, values, onTurn)),
    transaction: (work, options) => around(() => access.transaction(work, options)),
  };
}
