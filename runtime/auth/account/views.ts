import type { Config } from "../../config/index.js";
import type { Queryable } from "../../db/index.js";
import { isOperator } from "./is-operator.js";
import type { Account } from "./store.js";

/**
 * Ends the account's views of other accounts if its new role is not an operator role. Restoring the role does not
 * resume them.
 */
export async function endViewsUnless(
  { db, config }: { readonly db: Queryable; readonly config: Config },
  account: Pick<Account, "id" | "role">,
  next: Pick<Account, "role">,
): Promise<void> {
  if (isOperator(config, account) && !isOperator(config, next)) await deleteViewsBy(db, account.id);
}

/** Ends all views of other accounts by this account. */
export async function deleteViewsBy(tx: Queryable, viewerId: string): Promise<void> {
  await tx.query(
    `delete from service.sessions
     where id in (select id from service.account_views where viewer_id = $1)`,
    [viewerId],
  );
}
