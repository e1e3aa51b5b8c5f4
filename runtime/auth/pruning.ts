import { randomInt } from "node:crypto";
import type { Queryable } from "../db/index.js";

/**
 * Whether it is this call's turn to delete old rows: one in sixteen, as it takes a fifth of the time in which PostgreSQL
 * adds a session. At random, so that neither clients' keys nor the order of requests decide. Whoever prunes deletes more
 * rows than are added between two turns, so that they never pile up.
 */
export function isPruningDue(): boolean {
  return randomInt(16) === 0;
}

/** The rows of a table that are to be deleted, in SQL. */
interface OldRows {
  readonly table: string;
  /** By PostgreSQL's clock: a server with a wrong one must not delete the rows of others. */
  readonly isOld: string;
  readonly oldestFirst: string;
}

/** Deletes up to a hundred old rows, and leaves those to others that they are deleting. */
export async function prune(db: Queryable, { table, isOld, oldestFirst }: OldRows): Promise<void> {
  await db.query(
    `delete from ${table}
     where ctid = any (array(
       select ctid
       from ${table}
       where ${isOld}
       order by ${oldestFirst}
       limit 100
       for update skip locked
     ))`,
  );
}

/** The rows of a table that have expired. */
export function expiredRows(table: string): OldRows {
  return { table, isOld: "expires_at <= now()", oldestFirst: "expires_at" };
}

/** Deletes up to a hundred expired rows of a table where it is this call's turn. */
export async function pruneExpired(db: Queryable, table: string): Promise<void> {
  if (isPruningDue()) await prune(db, expiredRows(table));
}
