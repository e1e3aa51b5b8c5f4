/**
 * Settings of every session, of the server and of migrations: databases, roles and the parameters of an
 * address may have other defaults. Each is sent, and compared with the session's value where a proxy that
 * pools by transaction does not pass it on.
 */
export const sessionSettings = {
  // Names without a schema are the app's. PostgreSQL would first look in the schema named like
  // the role, and a role may be called `service`, as the runtime's schema is.
  search_path: "public",
  // A transaction sees what others commit while it waits; the runtime's are written for that.
  default_transaction_isolation: "read committed",
  default_transaction_deferrable: "off",
  // A backslash in a string is a backslash.
  standard_conforming_strings: "on",
  // Numbers keep all their digits.
  extra_float_digits: "1",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  quote_all_identifiers: "off",
  transform_null_equals: "off",
  array_nulls: "on",
  row_security: "on",
  // Any other value makes searches omit rows.
  gin_fuzzy_search_limit: "0",
  // A refused statement, such as one that meets a duplicate, must not end the whole session.
  exit_on_error: "off",
} as const;

/** Settings that change how fast, strict or verbose PostgreSQL is, but no result. */
const conveniences = {
  // No statement is worth compiling: that takes longer than most of them run.
  jit: "off",
  TimeZone: "UTC",
  // Migrations report PostgreSQL's warnings.
  client_min_messages: "notice",
  // An app's migrations mean the same everywhere, and errors in their functions are found.
  backslash_quote: "safe_encoding",
  check_function_bodies: "on",
};

/**
 * A database or role may have time limits that suit its other users. A server sets its own limits
 * after these, and migrations have none, however long they take.
 */
const noLimits = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  idle_session_timeout: 0,
};

/** PostgreSQL has known this one since 17, and `set` would be refused by those before. */
const noTransactionLimit = `select set_config('transaction_timeout', '0', false)
where current_setting('transaction_timeout', true) is not null;
`;

/** Statements that give a session all of them, the limits first; for a new connection, or one that has been used. */
export const setSession =
  setAll(noLimits) + noTransactionLimit + setAll({ ...sessionSettings, ...conveniences });

/** Statements that give a session these settings. */
export function setAll(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} to '${value}';\n`)
    .join("");
}
