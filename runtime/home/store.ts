import type { Access, Queryable } from "../db/index.js";
import type { JsonValue } from "../values/stored-json/rules.js";

/** A block of the dashboard's home page; only the dashboard interprets it. */
export type Block = Readonly<Record<string, JsonValue>>;

/** What an account sees on the dashboard's home page, with keys in the order of the API; null if nothing is stored. */
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

/** Replaces the blocks of an account or, if the account is null, the shared ones. Null for the blocks deletes them. */
export async function storeBlocks(
  tx: Queryable,
  accountId: string | null,
  blocks: readonly Block[] | null,
): Promise<void> {
  if (blocks === null) {
    // Two statements, because `is not distinct from` would not use the index.
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
