import type { Queryable } from "../../../db/index.js";
import type { SessionServices } from "../../session/prove.js";
import { authenticatorSecret, readEncrypted } from "../encrypted.js";
import { loadRules } from "./load-rules.js";

/** Spends an authenticator's code. Returns false if it is wrong, or not newer than the last code used. */
export async function spendAuthenticatorCode(
  services: SessionServices,
  accountId: string,
  code: string,
): Promise<boolean> {
  const secret = await readEncrypted(services, { column: authenticatorSecret, accountId });
  if (secret === null) return false;
  const { matchTimeStep } = await loadRules();
  const step = matchTimeStep(secret.toString(), code, services.clock.now());
  return step !== null && (await spendTimeStep(services.db, accountId, step));
}

/** Marks a time step's code as used. Returns false if that step's code or a later one was used already. */
async function spendTimeStep(tx: Queryable, accountId: string, step: number): Promise<boolean> {
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
