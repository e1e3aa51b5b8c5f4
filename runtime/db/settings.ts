/**
 * What every session of ours works with, the server's and that of migrations: databases, roles and the
 * parameters of an address may have other defaults. Each is sent, and held against the session's own
 * where a proxy that pools by transaction passes none on.
 */
export const sessionSettings = {
  // Names without a schema are the app's. PostgreSQL would look first into the schema that is called
  // like the role, and a role may well be called `service` as the runtime's schema is.
  search_path: "public",
  // A transaction sees what others commit while it waits; ours are written for that.
  default_transaction_isolation: "read committed",
  default_transaction_deferrable: "off",
  // A backslash in a text is one.
  standard_conforming_strings: "on",
  // Numbers keep their last digits.
  extra_float_digits: "1",
  DateStyle: "ISO, MDY",
  IntervalStyle: "postgres",
  bytea_output: "hex",
  quote_all_identifiers: "off",
  transform_null_equals: "off",
  array_nulls: "on",
  row_security: "on",
  // Any other makes searches leave rows out.
  gin_fuzzy_search_limit: "0",
  // A refused statement, such as one that meets a duplicate, must not end the whole session.
  exit_on_error: "off",
} as const;

/** Settings that change how fast, how strict or how talkative PostgreSQL is, but no result. */
const conveniences = {
  // No statement of ours is worth compiling: it takes longer than the quickest of them run.
  jit: "off",
  TimeZone: "UTC",
  // Migrations pass on what PostgreSQL warns of.
  client_min_messages: "notice",
  // An app's own migrations are read alike everywhere, and mistakes in their functions are found.
  backslash_quote: "safe_encoding",
  check_function_bodies: "on",
};

/**
 * A database or role may have time limits that suit its other users. A server sets limits of its own
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

/** Statements that give a session all of them, the limits first; for one that is just connected, or has been used. */
export const setSession =
  setAll(noLimits) + noTransactionLimit + setAll({ ...sessionSettings, ...conveniences });

/** Statements that give a session these settings. */
export function setAll(settings: Readonly<Record<string, string | number>>): string {
  return Object.entries(settings)
    .map(([name, value]) => `set ${name} to '${value}';\n`)
    .join("");
}
