import { type RefusalCode, refuse } from "../../../errors/index.js";
import type { Answer, Context } from "../../../http/index.js";
import { unlessTaken } from "../../account/address.js";
import { type Credentials, lockAccount, setEmail } from "../../account/store.js";
import { recordEvent } from "../../event/record.js";
import { accept, readAccountJson } from "../../input.js";
import { maxGuesses, refuseDiscarded } from "../../limit/attempt.js";
import type { NoticeServices } from "../../mailed/notice.js";
import { deleteMailedProofs } from "../../mailed/store.js";
import { identifyCaller, lockCallerAccount, refuseServiceToken } from "../../session/caller.js";
import { revoke } from "../../session/revoke.js";
import { isCode } from "../../token/code.js";
import { hashToken } from "../../token/token.js";
import { codeShape, linkShape } from "./input.js";
import { changeScope } from "./rules.js";
import { countGuess, findAccountOfLink, findChange } from "./store.js";

/**
 * `POST /auth/email/change/verify`: changes the address with the code, for the signed-in account, or with the link
 * alone.
 */
export async function verifyChange(context: Context): Promise<Answer> {
  const body = await readAccountJson(context);
  if (Object.hasOwn(body, "token")) {
    return unlessTaken(() => changeByLink(context, accept(linkShape, body).token));
  }
  const { code } = accept(codeShape, body);
  const identified = await identifyCaller(context);
  await refuseServiceToken(identified);
  return unlessTaken(() => changeByCode(identified, code));
}

async function changeByCode(context: Context, code: string): Promise<Answer> {
  const { services } = context;
  const now = services.clock.now();
  const refused = await services.db.transaction(async (tx): Promise<RefusalCode | null> => {
    const account = await lockCallerAccount(tx, context);
    const pending = await findChange(tx, { accountId: account.id, now });
    if (pending === null) return "OTP_EXPIRED";
    if (pending.guesses >= maxGuesses) refuseDiscarded(pending.expiresAt, now);
    const digest = pending.codeDigest;
    if (!isCode(services.config, { code, digest, scope: changeScope(pending) })) {
      await countGuess(tx, account.id);
      return "INVALID_OTP";
    }
    await changeAddress({ ...services, db: tx }, account, pending.email);
    return null;
  });
  // Refused after the transaction, so that the count of the wrong guess is committed.
  return refused === null ? { status: 204, json: null } : refuseCode(refused);
}

/** 422, because 401 on a route that needs a token means that the token is invalid. */
function refuseCode(code: RefusalCode): never {
  const message = code === "OTP_EXPIRED" ? "Has expired: request another one" : "Is wrong";
  return refuse(code, { status: 422, issues: [{ path: "code", message }] });
}

async function changeByLink({ services }: Context, token: string): Promise<Answer> {
  const now = services.clock.now();
  const tokenHash = hashToken(token);
  const id = (await findAccountOfLink(services.db, { tokenHash, now })) ?? refuse("INVALID_TOKEN");
  await services.db.transaction(async (tx) => {
    const account = await lockAccount(tx, { id });
    // Read again: another request may have used it while this one waited for the lock.
    const pending = await findChange(tx, { accountId: id, now });
    const isOpen = pending?.tokenHash.equals(tokenHash) ?? false;
    if (account === null || account.disabled || pending === null || !isOpen) {
      return refuse("INVALID_TOKEN");
    }
    return changeAddress({ ...services, db: tx }, account, pending.email);
  });
  return { status: 204, json: null };
}

/**
 * Sets the proven address of a locked account. Revokes everything based on earlier proofs, including the pending
 * change; devices and identities remain.
 */
async function changeAddress(
  services: NoticeServices,
  account: Credentials,
  email: string,
): Promise<void> {
  const { db: tx, clock } = services;
  const { id } = account;
  await setEmail(tx, { id, email, isVerified: true, now: clock.now() });
  await revoke(tx, account, "all");
  await deleteMailedProofs(tx, email);
  await recordEvent(services, { kind: "email-changed", accountId: id, by: id });
}
