import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { deleteSecondStep } from "../account/factors.js";
import type { Credentials } from "../account/store.js";
import { readBody } from "../input.js";
import { notify } from "../mailed/notice.js";
import { checkPasswordAgain } from "../password/reauthenticate.js";
import { callersAccount, lockCaller } from "../session/caller.js";
import { endSignIns } from "../session/revoke.js";
import { newBackupSet } from "./backup-code/rules.js";
import { replaceBackupCodes } from "./backup-code/store.js";
import { backupKey, sealFor } from "./encrypted.js";
import { passwordShape } from "./input.js";

/** `POST /auth/two-factor/disable`: everything of the second step goes. */
export async function disable(context: Context): Promise<Answer> {
  await readPassword(context);
  const { services } = context;
  await services.db.transaction(async (tx) => {
    const account = await lockEnabled(tx, context);
    await deleteSecondStep(tx, account.id);
    await endSignIns(tx, account.id);
    await notify({ ...services, db: tx }, account, "second-step-off");
  });
  return { status: 204, json: null };
}

/** `POST /auth/two-factor/backup-codes`: ten new ones; those before them are dead. */
export async function renewBackupCodes(context: Context): Promise<Answer> {
  await readPassword(context);
  const { services } = context;
  const { codes, key, digests } = newBackupSet();
  await services.db.transaction(async (tx) => {
    const account = await lockEnabled(tx, context);
    const { id: accountId } = account;
    const sealedKey = sealFor(services.config, { column: backupKey, accountId }, key);
    await replaceBackupCodes(tx, accountId, { key: sealedKey, digests });
    await notify({ ...services, db: tx }, account, "backup-codes-renewed");
  });
  return { status: 200, json: JSON.stringify({ backupCodes: codes }) };
}

async function readPassword(context: Context): Promise<void> {
  const { password } = await readBody(context, passwordShape);
  const account = await callersAccount(context);
  await checkPasswordAgain(context.services, account, { password, path: "password" });
}

/** The caller's account, locked; refuses where its second step is off. */
async function lockEnabled(tx: Queryable, context: Context): Promise<Credentials> {
  const account = await lockCaller(tx, context);
  if (account.enrolled.length === 0) refuse("TWO_FACTOR_NOT_ENABLED");
  return account;
}
