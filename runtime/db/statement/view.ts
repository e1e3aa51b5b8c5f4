import type { RequestState } from "../../request/index.js";
import type { Access, Database, Transaction, TransactionOptions } from "./database.js";
import type { Statement } from "./joined.js";
import type { Plan } from "./plan.js";

/** The request and the resource that a statement belongs to. */
export interface Origin {
  /** Null if it belongs to no request. */
  readonly request: RequestState | null;
  /** The resource whose share of the connections the view uses; by default the common share. */
  readonly resource?: string | undefined;
}

/** Runs the statements of all views of a database. */
export interface Runner {
  query<Row>(statement: Statement, origin: Origin): Promise<readonly Row[]>;
  read<Row>(plan: Plan, origin: Origin): Promise<readonly Row[]>;
  attempt<Row>(
    statement: Statement,
    origin: Origin,
    onTurn?: () => void,
  ): Promise<readonly Row[] | null>;
  transaction<T>(
    work: (connection: Transaction) => Promise<T>,
    options: TransactionOptions,
    origin: Origin,
  ): Promise<T>;
  close(): Promise<void>;
}

/** Creates the database for statements of no request, from which those for requests are derived. */
export function databaseOn(runner: Runner): Database {
  const whole = viewFor(null);
  return whole;

  function viewFor(request: RequestState | null): Database {
    // Spreading an object of functions takes V8 some 10 µs, which every request would pay.
    const { query, read, attempt, transaction } = accessOf(runner, { request });
    return {
      query,
      read,
      attempt,
      transaction,
      ofResource: (resource) => accessOf(runner, { request, resource }),
      of: (next) => (next === null ? whole : viewFor(next)),
      close: runner.close,
    };
  }
}

function accessOf(runner: Runner, origin: Origin): Access {
  return {
    query: (text, values = []) => runner.query({ text, values }, origin),
    read: (plan) => runner.read(plan, origin),
    attempt: (text, values = [], onTurn) => runner.attempt({ text, values }, origin, onTurn),
    transaction: (work, options = {}) => runner.transaction(work, options, origin),
  };
}
