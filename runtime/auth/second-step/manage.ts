import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { deleteSecondStep } from "../account/factors.js";
import type { Credentials } from "../account/store.js";
import { readBody } from "../input.js";
import { announce } from "../mailed/notice.js";
import { reauthenticate } from "../password/reauthenticate.js";
import { findCallerAccount, lockCallerAccount } from "../session/caller.js";
import { endSignIns } from "../session/revoke.js";
import { newBackupSet } from "./backup-code/rules.js";
import { replaceBackupCodes } from "./backup-code/store.js";
import { backupKey, encryptFor } from "./encrypted.js";
import { passwordShape } from "./input.js";

/** `POST /auth/two-factor/disable`: deletes all data of the second step. */
export async function disable(context: Context): Promise<Answer> {
  await checkPassword(context);
  const { services } = context;
  await services.db.transaction(async (tx) => {
    const account = await lockEnabled(tx, context);
    await deleteSecondStep(tx, account.id);
    await endSignIns(tx, account.id);
    await announce({ ...services, db: tx }, account, { kind: "second-step-off", by: account.id });
  });
  return { status: 204, json: null };
}

/** `POST /auth/two-factor/backup-codes`: returns ten new codes; the previous ones become invalid. */
export async function renewBackupCodes(context: Context): Promise<Answer> {
  await checkPassword(context);
  const { services } = context;
  const { codes, key, digests } = newBackupSet();
  await services.db.transaction(async (tx) => {
    const account = await lockEnabled(tx, context);
    const { id: accountId } = account;
    const encryptedKey = encryptFor(services.config, { column: backupKey, accountId }, key);
    await replaceBackupCodes(tx, accountId, { key: encryptedKey, digests });
    await announce({ ...services, db: tx }, account, {
      kind: "backup-codes-renewed",
      by: accountId,
    });
  });
  return { status: 200, json: JSON.stringify({ backupCodes: codes }) };
}

async function checkPassword(context: Context): Promise<void> {
  const { password } = await readBody(context, passwordShape);
  const account = await findCallerAccount(context);
  await reauthenticate(context.services, account, { password, path: "password" });
}

/** Finds and locks the caller's account; refuses if its second step is disabled. */
async function lockEnabled(tx: Queryable, context: Context): Promise<Credentials> {
  const account = await lockCallerAccount(tx, context);
  if (account.enrolled.length === 0) refuse("TWO_FACTOR_NOT_ENABLED");
  return account;
}
