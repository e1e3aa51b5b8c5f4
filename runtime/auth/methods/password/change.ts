import type { Answer, Context } from "../../../http/index.js";
import { setPassword } from "../../account/store.js";
import { readBody } from "../../input.js";
import { announce } from "../../mailed/notice.js";
import { hashPassword } from "../../password/hash.js";
import { reauthenticate, refuseWrongPassword } from "../../password/reauthenticate.js";
import { acceptNewPassword } from "../../password/rules.js";
import { findCallerAccount, lockCallerAccount, requireCaller } from "../../session/caller.js";
import { revoke } from "../../session/revoke.js";
import { changeShape } from "./input.js";

/** `POST /auth/password`: sets a new password, given the current one, and signs out every other device. */
export async function changePassword(context: Context): Promise<Answer> {
  const { services } = context;
  const { sessionId } = requireCaller(context);
  const { currentPassword, newPassword } = await readBody(context, changeShape);
  const account = await findCallerAccount(context);
  await reauthenticate(services, account, {
    password: currentPassword,
    path: "currentPassword",
  });
  const comparable = await acceptNewPassword(services.config, {
    password: newPassword,
    path: "newPassword",
  });
  const passwordHash = await hashPassword(comparable);
  await services.db.transaction(async (tx) => {
    const locked = await lockCallerAccount(tx, context);
    // Another device has changed the password since it was checked. (Rehashing does not increment the generation.)
    if (locked.generation !== account.generation) refuseWrongPassword("currentPassword");
    await setPassword(tx, { id: account.id, passwordHash, now: services.clock.now() });
    await revoke(tx, locked, { sessionId });
    await announce({ ...services, db: tx }, locked, { kind: "password-changed", by: account.id });
  });
  return { status: 204, json: null };
}
