import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { deleteSecondStep } from "../account/factors.js";
import type { Credentials } from "../account/store.js";
import { readBody } from "../body.js";
import { checkPasswordAgain } from "../password/again.js";
import { endSignIns } from "../session/revoke.js";
import { callersAccount, lockCaller } from "../session/signed-in.js";
import { newBackupSet } from "./backup-code/codes.js";
import { replaceBackupCodes } from "./backup-code/store.js";
import { passwordShape } from "./input.js";
import { backupKey, sealFor } from "./sealed.js";

/** `POST /auth/two-factor/disable`: everything of the second step goes. */
export async function disable(context: Context): Promise<Answer> {
  await readPassword(context);
  await context.services.db.transaction(async (tx) => {
    const { id } = await lockEnabled(tx, context);
    await deleteSecondStep(tx, id);
    await endSignIns(tx, id);
  });
  return { status: 204, json: null };
}

/** `POST /auth/two-factor/backup-codes`: ten new ones; those before them are dead. */
export async function renewBackupCodes(context: Context): Promise<Answer> {
  await readPassword(context);
  const { config, db } = context.services;
  const { codes, key, digests } = newBackupSet();
  await db.transaction(async (tx) => {
    const { id: accountId } = await lockEnabled(tx, context);
    const sealedKey = sealFor(config, { column: backupKey, accountId }, key);
    await replaceBackupCodes(tx, accountId, { key: sealedKey, digests });
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
