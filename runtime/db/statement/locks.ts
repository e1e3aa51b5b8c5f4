// Every advisory lock of this package has its number here, so that no two kinds share one.
// PostgreSQL separates locks with one number from locks with two. One number: locks that exist once
// per database. Two numbers: the class, then a hash of the locked name. The triggers of totals use
// two as well, the oid of a table first (`runtime/migrate/sql/0010_tally_moves.sql`). Oids of
// tables begin at 16,384, so classes are smaller.
// Servers and commands of two releases may run side by side. Never change a number of the first
// kind: both releases must exclude each other. A class may change, because it only avoids waiting
// or deadlocks: the primary key of the stored responses decides which of two requests with one
// idempotency key writes, and a deadlocked batch is retried. Version 0.4 used one number, a hash of
// 64 bits, for the second kind.

/** The numbers of locks that exist once per database. */
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
  /** Deleting old changes: in `0028_change_log.sql`, too. */
  oldChanges: 7_364_038,
  /** Storing webhook deliveries. */
  webhooks: 7_364_029,
  /** Deleting records from the trash after their retention: in `0045_trash.sql`. */
  trash: 7_364_057,
  /** Indexing words of records whose linked records have changed: in `0049_words.sql`. */
  words: 7_364_060,
} as const;

/**
 * The first of two numbers. The second has 32 bits: if two hashes are equal, one request waits for another, unrelated
 * one.
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
