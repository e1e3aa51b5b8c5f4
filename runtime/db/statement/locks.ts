// Every advisory lock of this package has its number here, so that no two kinds share one.
//
// PostgreSQL keeps locks by one number apart from locks by two. By one number: locks of which a database has one.
// By two: the class, then a hash of what is locked. The triggers of totals take two as well, the oid of a table
// first (`runtime/migrate/sql/0010_tally_moves.sql`). Oids of tables begin at 16,384, so classes are smaller.
//
// Servers of two releases may run side by side, and commands too. Never change a number of the first kind: both
// releases have to exclude each other. A class may change, because it only spares waiting or deadlocks: the primary
// key of the stored answers decides which of two requests with one idempotency key writes, and a batch that ends in
// a deadlock is run again. Version 0.4 took the locks of the second kind by one number, a hash of 64 bits.

/** The numbers of locks of which a database has one. */
export const lockNumbers = {
  /** Shared by all commands that use the embedded server; in its database `postgres`. */
  embeddedUse: 7_364_001,
  /** Creating and emptying the app's database in the embedded server; in its database `postgres`. */
  embeddedCreation: 7_364_002,
  /** Changing the schema. */
  migration: 7_364_003,
  /** Pruning uploads. */
  pruning: 7_364_004,
  /** Changes of accounts by operators. */
  operators: 7_364_005,
  /** Claiming jobs of kinds that have a limit over all machines: in `0022_jobs.sql`. */
  jobs: 7_364_006,
  /** Storing seed files. */
  seed: 7_364_007,
  /** Numbering changes: in `0028_change_log.sql`. */
  changes: 7_364_028,
  /** Deleting old changes: there too. */
  oldChanges: 7_364_038,
  /** Storing deliveries of webhooks. */
  webhooks: 7_364_029,
} as const;

/**
 * The first of two numbers. The second has 32 bits: where two hashes are equal, one request waits for another
 * that it has nothing to do with.
 */
export const lockClasses = {
  /** A request with an idempotency key, by account and key. */
  keyedRequest: 7_364,
  /** A record that an operation of a batch changes, by resource and id or unique values. */
  batchRecord: 7_365,
  /** An import's transaction, by resource and path of the file. */
  importedFile: 7_366,
  /** Beginning a resumable upload, by sender. */
  newUpload: 7_367,
} as const;
