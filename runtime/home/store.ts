import type { Access, Queryable } from "../db/index.js";
import type { JsonValue } from "../values/stored-json/rules.js";

/** A block of the dashboard's home, which only the dashboard interprets. */
export type Block = Readonly<Record<string, JsonValue>>;

/** What an account sees of the dashboard's home, with keys in the API's order; null if nothing is stored. */
export interface Home {
  readonly own: readonly Block[] | null;
  readonly shared: readonly Block[] | null;
}

export async function findHome(db: Pick<Access, "query">, accountId: string): Promise<Home> {
  const [found] = await db.query<Home>(
    `select
       (select blocks from service.homes where user_id = $1) as own,
       (select blocks from service.homes where user_id is null) as shared`,
    [accountId],
  );
  return found ?? { own: null, shared: null };
}

/** Stores the blocks of an account, or with null the shared ones, in place of the former; null deletes them. */
export async function storeBlocks(
  tx: Queryable,
  accountId: string | null,
  blocks: readonly Block[] | null,
): Promise<void> {
  if (blocks === null) {
    // The index finds the row, as it would not by `is not distinct from`.
    await (accountId === null
      ? tx.query("delete from service.homes where user_id is null")
      : tx.query("delete from service.homes where user_id = $1", [accountId]));
    return;
  }
  await tx.query(
    `insert into service.homes (user_id, blocks)
     values ($1, $2)
     on conflict (user_id) do update
     set blocks = excluded.blocks`,
    [accountId, JSON.stringify(blocks)],
  );
}
