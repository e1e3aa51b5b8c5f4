import { messageOf } from "../statement/message.js";
import { isAddressRefused, isUnavailable, sqlState } from "../statement/sqlstate.js";

/** The problem, as a sentence without its full stop, and how to fix it. */
export interface DatabaseProblem {
  readonly message: string;
  readonly hint: string;
}

/**
 * The reason why the database cannot be used at present: nothing responds at its address, the address is refused, or
 * PostgreSQL could not process the request. Null for any other error, which is a bug.
 */
export function connectionProblem(error: unknown): DatabaseProblem | null {
  if (isAddressRefused(error)) {
    return {
      message: `The database refuses DATABASE_URL: ${messageOf(error)}`,
      hint: hintOf(error),
    };
  }
  if (!isUnavailable(error)) return null;
  return sqlState(error) === null ? unreachable(error) : unusable(error);
}

/** Returns why no connection could be made, even for errors that `connectionProblem` does not recognize. */
export function connectingProblem(error: unknown): DatabaseProblem {
  return connectionProblem(error) ?? unreachable(error);
}

function unreachable(error: unknown): DatabaseProblem {
  return { message: `The database cannot be reached: ${messageOf(error)}`, hint: hintOf(error) };
}

function unusable(error: unknown): DatabaseProblem {
  return {
    message: `The database cannot be used: ${messageOf(error)}`,
    hint: hints[sqlState(error) ?? ""] ?? "see PostgreSQL's log, and try again",
  };
}

/** For a database that refuses writes. */
export const readOnlyHint =
  "this is a replica, or was made read-only: DATABASE_URL must name the database that accepts writes";

/** PostgreSQL responded, so its address is right. See PostgreSQL, appendix A. */
const hints: Readonly<Record<string, string>> = {
  "25006": readOnlyHint,
  "25P03": raise("idle_in_transaction_session_timeout"),
  "25P04": raise("transaction_timeout"),
  "53100": "make room on PostgreSQL's disk",
  "53300":
    "close other connections, or raise max_connections of PostgreSQL; each server process opens up to database.pool_size + 2 connections, one more while hooks wait for locks, and two more while it prunes uploads",
  "55P03": "another session holds a lock: try again when its transaction has ended",
  "57014":
    "check pg_stat_activity for what keeps PostgreSQL busy and try again, or raise statement_timeout of the role or database",
  "57P03": "wait until PostgreSQL has started, and try again",
  "57P05": raise("idle_session_timeout"),
};

function raise(setting: string): string {
  return `raise ${setting} of the role or database, for example: alter role … set ${setting} = 0`;
}

function hintOf(error: unknown): string {
  if (codes(error).some((code) => nameCodes.has(code))) {
    return `check the host in DATABASE_URL; if the password has ${specials}, percent-encode the password (@ is %40)`;
  }
  const state = sqlState(error) ?? "";
  if (state === "3D000") {
    return "create that database, or correct the name at the end of DATABASE_URL";
  }
  if (state.startsWith("28")) {
    return `correct user and password in DATABASE_URL; if the password has ${specials}, percent-encode it (@ is %40)`;
  }
  return "check DATABASE_URL, and that PostgreSQL is running at that address";
}

/** Characters that end the password, or the whole authority, of a URL too early. */
const specials = "one of @ : / ? # %";

const nameCodes: ReadonlySet<string> = new Set(["ENOTFOUND", "EAI_AGAIN"]);

/** The codes of an error. Node combines several failed addresses into one error. */
function codes(error: unknown): readonly string[] {
  if (error instanceof AggregateError) return error.errors.flatMap(codes);
  const code = error instanceof Error && "code" in error ? error.code : null;
  return typeof code === "string" ? [code] : [];
}
