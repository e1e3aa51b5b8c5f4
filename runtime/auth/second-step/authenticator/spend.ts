import type { DoorServices } from "../../session/prove.js";
import { authenticatorSecret, readSealed } from "../sealed.js";
import { stepOf } from "./code.js";
import { spendStep } from "./store.js";

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
