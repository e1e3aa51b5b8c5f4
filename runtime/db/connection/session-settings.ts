/**
 * Settings of every session, of the server and of migrations, since databases, roles and URL parameters may have other
 * defaults. Each is sent; behind a pooler in transaction mode, which does not pass it on, it is compared with the
 * session's value.
 */
export const sessionSettings = {
  // Names without a schema belong to the app. By default, PostgreSQL would first search the schema named like the role,
  // and a role may be called `service`, like the runtime's schema.
  search_path: "public",
  // The runtime's transactions rely on seeing rows that others commit while they wait.
  default_transaction_isolation: "read committed",
  default_transaction_deferrable: "off",
  // Backslashes in strings are literal.
  standard_conforming_strings: "on",
  // Numbers are returned with all their digits.
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
  // A refused statement, such as a duplicate insert, must not end the whole session.
  exit_on_error: "off",
} as const;

/** Settings that change the speed, strictness or verbosity of PostgreSQL, but no result. */
const conveniences = {
  // Compilation takes longer than most statements run.
  jit: "off",
  TimeZone: "UTC",
  // Migrations report PostgreSQL's warnings.
  client_min_messages: "notice",
  // Makes an app's migrations mean the same everywhere, and detects errors in their functions.
  backslash_quote: "safe_encoding",
  check_function_bodies: "on",
};

/**
 * A database or role may have timeouts for its other users. The server sets its own limits afterwards; migrations have
 * none.
 */
const noLimits = {
  statement_timeout: 0,
  lock_timeout: 0,
  idle_in_transaction_session_timeout: 0,
  idle_session_timeout: 0,
};

/** Known to PostgreSQL since 17; older ones would refuse `set`. */
const noTransactionLimit = `select set_config('transaction_timeout', '0', false)
where current_setting('transaction_timeout', true) is not null;
`;

/** Statements that apply all these settings to a session, new or used, the limits first. */
export const setSession =
  setAll(noLimits) + noTransactionLimit + setAll({ ...sessionSettings, ...conveniences });

/** Statements that apply these settings to a session. */
export function setAll(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} to '${value}';\n`)
    .join("");
}
