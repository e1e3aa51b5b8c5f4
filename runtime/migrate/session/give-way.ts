import type { Queryable } from "../../db/index.js";
import { inTransaction } from "./session.js";

/**
 * Has an autovacuum let go of a table. It does so for whoever has waited for as long as the server's
 * `deadlock_timeout`, a second by default, which not every role may shorten: too long for a lock behind
 * which others wait. So this waits for one that no reader and no writer minds. Not getting it is no
 * matter.
 */
export async function endAutovacuum(db: Queryable, table: string): Promise<void> {
  await inTransaction(db, async () => {
    await db.query("set local lock_timeout to '3s'");
    await db.query(`lock table ${table} in share update exclusive mode`);
  }).catch(() => {});
}
