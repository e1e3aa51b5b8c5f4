/** The queue was full or slow; the same request may succeed in a moment. */
export class QueueTimeout extends Error {
  constructor() {
    super("Too many requests are already waiting for the database");
  }
}

/** A write is stored, but a synchronous standby did not confirm it in time: a failover may lose it. */
export class NotConfirmed extends Error {
  constructor() {
    super("The write is stored, but no synchronous standby has confirmed it");
  }
}

/**
 * Whether the database is down, unreachable or too busy, so that the same request may succeed in a moment. Any other
 * error is in the statement or its values.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof QueueTimeout || error instanceof NotConfirmed) return true;
  if (error instanceof AggregateError && error.errors.some(isUnavailable)) return true;
  const state = sqlState(error);
  if (state !== null) return unavailableStates.test(state) && !isProtocolError(error);
  // pg reports a lost connection and a full pool only by message.
  return (
    networkCodes.has(stringOf(error, "code") ?? "") ||
    lostConnection.test(stringOf(error, "message") ?? "")
  );
}

/** Whether one statement took too much time, memory or disk: with fewer values it may succeed. */
export function isTooMuch(error: unknown): boolean {
  return error instanceof Error && /^(57014|53[124]00)$/.test(sqlState(error) ?? "");
}

/** Whether the connection was lost, or ended by the server, during a statement. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const state = sqlState(error);
  if (state !== null) return /^(08...|57P0[1-5])$/.test(state) && !isProtocolError(error);
  return (
    networkCodes.has(stringOf(error, "code") ?? "") ||
    lostConnection.test(stringOf(error, "message") ?? "")
  );
}

/**
 * Whether PostgreSQL did not understand the message, for example because of an excess parameter: a bug. Poolers end
 * connections with the same code, without the name of a routine of PostgreSQL.
 */
function isProtocolError(error: Error): boolean {
  return sqlState(error) === "08P01" && stringOf(error, "routine") !== null;
}

/** Whether the server did not respond to a statement in time, not even with a refusal. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && /^Query read timeout/.test(stringOf(error, "message") ?? "");
}

/** Whether PostgreSQL rejects the role or its password (28…), or has no such database (3D000). */
export function isAddressRefused(error: unknown): error is Error {
  return error instanceof Error && /^(28...|3D000)$/.test(sqlState(error) ?? "");
}

/**
 * PostgreSQL's five-character code of the error; null for any other error. An error raised by an app function is P0001,
 * whatever code it chose: it reveals nothing about the database.
 */
export function sqlState(error: unknown): string | null {
  const code = stringOf(error, "code");
  if (code === null || !/^[0-9A-Z]{5}$/.test(code) || stringOf(error, "severity") === null) {
    return null;
  }
  return isRaised(error) ? "P0001" : code;
}

/** Whether an app function refused with `raise exception`. */
export function isRaised(error: unknown): boolean {
  return stringOf(error, "routine") === "exec_stmt_raise" && functionOf(error) === "app";
}

/**
 * Returns whether the innermost function in the error's context belongs to the package (schema `service`) or to the
 * app. PostgreSQL writes the context in the language of its messages. Null for an error outside any function.
 */
export function functionOf(error: unknown): "package" | "app" | null {
  const context = stringOf(error, "where")?.split("\n") ?? [];
  const innermost = context.find((line) => /^[^"(]*\bPL\/|^SQL function /.test(line));
  if (innermost === undefined) return null;
  return /^[^(]*\bservice\./.test(innermost) ? "package" : "app";
}

/** A deadlock or a serialization failure: the same statement may succeed immediately. */
export function lostToConcurrent(error: unknown): boolean {
  const state = sqlState(error);
  return state === "40001" || state === "40P01";
}

/** Whether a prepared statement no longer matches the tables (0A000), or does not exist (26000). */
export function isOutdated(error: unknown): boolean {
  const state = sqlState(error);
  return state === "0A000" || state === "26000";
}

/** Returns which timeout was exceeded: that for a lock (55P03), or that of the whole statement (57014). */
export function timeLimit(error: unknown): "lock" | "statement" | null {
  const state = sqlState(error);
  if (state === "55P03") return "lock";
  return state === "57014" ? "statement" : null;
}

/** Whether a write was refused because only reads are allowed. */
export function isWriteRefused(error: unknown): boolean {
  return sqlState(error) === "25006";
}

/** Whether a function refused a value, as `at time zone` refuses an unknown zone. */
export function isValueRefused(error: unknown): boolean {
  return sqlState(error) === "22023";
}

/** Whether the values together exceed the size of a row or an index entry. */
export function isTooWide(error: unknown): boolean {
  return sqlState(error) === "54000";
}

/** Whether a number is beyond the range of its column's type. */
export function isOutOfRange(error: unknown): boolean {
  return sqlState(error) === "22003";
}

/** Whether a text is longer than the type of its column allows. */
export function isTooLong(error: unknown): boolean {
  return sqlState(error) === "22001";
}

/** The name of the constraint or unique index if a value is taken; otherwise null. */
export function uniqueViolation(error: unknown): string | null {
  return sqlState(error) === "23505" ? stringOf(error, "constraint") : null;
}

/** The link that a write violates. */
export interface BrokenLink {
  readonly constraint: string;
  /** On an insert or update the written table, on a delete the one that still refers to the row. */
  readonly table: string;
  readonly schema: string;
}

/** The foreign key that refused an insert, update or delete; otherwise null. */
export function foreignKeyViolation(error: unknown): BrokenLink | null {
  const state = sqlState(error);
  // 23001 is `on delete restrict`, which PostgreSQL 18 reports separately.
  if (state !== "23503" && state !== "23001") return null;
  const constraint = stringOf(error, "constraint");
  const table = stringOf(error, "table");
  const schema = stringOf(error, "schema");
  return constraint === null || table === null || schema === null
    ? null
    : { constraint, table, schema };
}

const networkCodes = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ECONNABORTED",
  "EPIPE",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "EHOSTDOWN",
  "ENETUNREACH",
  "ENETDOWN",
]);

/**
 * PostgreSQL's codes (appendix A):
 *
 * - connection exceptions (08…), and out of resources: disk, memory, connections (53…);
 * - read-only after a failover (25006), and lost to a concurrent transaction (40001, 40P01);
 * - ended by a time limit (57014, 55P03, 25P03, 25P04);
 * - shut down, crashed, not yet up, database dropped, or idle for too long (57P01–57P05).
 */
const unavailableStates = /^(08...|53...|40001|40P01|25006|25P0[34]|55P03|57014|57P0[1-5])$/;

const lostConnection =
  /^(Connection terminated|timeout (exceeded when trying to connect|expired)|Client has encountered a connection error|Client was closed|Query read timeout|Cannot use a pool after calling end)/;

/** Returns a property if it is a string; otherwise null, also if it cannot be read: app code may throw anything. */
export function stringOf(error: unknown, key: string): string | null {
  if (!(error instanceof Error)) return null;
  try {
    const value: unknown = Reflect.get(error, key);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}
