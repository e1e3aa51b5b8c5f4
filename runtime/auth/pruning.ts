import { randomInt } from "node:crypto";
import type { Queryable } from "../db/index.js";

/**
 * Whether this call should delete old rows: true for a random one in sixteen calls, because a deletion takes PostgreSQL
 * a fifth as long as adding a session. Random, so that neither clients' keys nor the order of requests decide. Each
 * pruning deletes more rows than are added between two prunings, so rows never pile up.
 */
export function isPruningDue(): boolean {
  return randomInt(16) === 0;
}

/** The rows to delete from a table, as SQL. */
interface OldRows {
  readonly table: string;
  /** Uses PostgreSQL's clock: a server with a wrong clock must not delete other servers' rows. */
  readonly isOld: string;
  readonly oldestFirst: string;
}

/** Deletes up to a hundred old rows, except rows that other transactions are deleting. */
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

export function expiredRows(table: string): OldRows {
  return { table, isOld: "expires_at <= now()", oldestFirst: "expires_at" };
}

/** Occasionally deletes up to a hundred expired rows of a table. */
export async function pruneExpired(db: Queryable, table: string): Promise<void> {
  if (isPruningDue()) await prune(db, expiredRows(table));
}
