import type { Answer, Context } from "../../../http/index.js";
import { setPassword } from "../../account/store.js";
import { readBody } from "../../input.js";
import { notify } from "../../mailed/notice.js";
import { hashPassword } from "../../password/hash.js";
import { checkPasswordAgain, refuseWrongPassword } from "../../password/reauthenticate.js";
import { acceptNewPassword } from "../../password/rules.js";
import { callersAccount, lockCaller, signedIn } from "../../session/caller.js";
import { revoke } from "../../session/revoke.js";
import { changeShape } from "./input.js";

/** Sets another password for somebody who knows the present one, and signs out every other device. */
export async function changePassword(context: Context): Promise<Answer> {
  const { services } = context;
  const { sessionId } = signedIn(context);
  const { currentPassword, newPassword } = await readBody(context, changeShape);
  const account = await callersAccount(context);
  await checkPasswordAgain(services, account, {
    password: currentPassword,
    path: "currentPassword",
  });
  const comparable = await acceptNewPassword(services.config, {
    password: newPassword,
    path: "newPassword",
  });
  const passwordHash = await hashPassword(comparable);
  await services.db.transaction(async (tx) => {
    const locked = await lockCaller(tx, context);
    // Another device has changed it meanwhile; a hash that was only renewed is of the same password.
    if (locked.generation !== account.generation) refuseWrongPassword("currentPassword");
    await setPassword(tx, { id: account.id, passwordHash, now: services.clock.now() });
    await revoke(tx, locked, { sessionId });
    await notify({ ...services, db: tx }, locked, "password-changed");
  });
  return { status: 204, json: null };
}
