import type { Config } from "../../config/index.js";
import type { Queryable } from "../../db/index.js";
import { isOperator } from "./is-operator.js";
import type { Account } from "./store.js";

/** Ends what an account sees of others if the other role is none of an operator; giving the role back does not resume it. */
export async function endViewsUnless(
  { db, config }: { readonly db: Queryable; readonly config: Config },
  account: Pick<Account, "id" | "role">,
  next: Pick<Account, "role">,
): Promise<void> {
  if (isOperator(config, account) && !isOperator(config, next)) await deleteViewsBy(db, account.id);
}

/** Ends everything that an account sees of others. */
export async function deleteViewsBy(tx: Queryable, viewerId: string): Promise<void> {
  await tx.query(
    `delete from service.sessions
     where id in (select id from service.account_views where viewer_id = $1)`,
    [viewerId],
  );
}
