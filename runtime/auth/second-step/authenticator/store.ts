import type { Queryable } from "../../../db/index.js";
import type { DoorServices } from "../../session/prove.js";
import { authenticatorSecret, readSealed } from "../encrypted.js";
import { stepOf } from "./rules.js";

/** Uses an authenticator's code up; false for a wrong one, and for one that is not newer than the last. */
export async function spendAuthenticatorCode(
  door: DoorServices,
  accountId: string,
  code: string,
): Promise<boolean> {
  const secret = await readSealed(door, { column: authenticatorSecret, accountId });
  if (secret === null) return false;
  const step = stepOf(secret.toString(), code, door.clock.now());
  return step !== null && (await spendStep(door.db, accountId, step));
}

/** Notes that a step's code was used; false where it, or that of a later step, had been used before. */
async function spendStep(tx: Queryable, accountId: string, step: number): Promise<boolean> {
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
