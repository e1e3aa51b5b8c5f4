import type { Queryable } from "../../../db/index.js";

/** Notes that a step's code was used; false where it, or that of a later step, had been used before. */
export async function spendStep(tx: Queryable, accountId: string, step: number): Promise<boolean> {
  const rows = await tx.query(
    `update service.second_steps
     set authenticator_step = $2
     where user_id = $1
       and (authenticator_step is null or authenticator_step < $2)
     returning user_id`,
    [accountId, step],
  );
  return rows.length > 0;
}
