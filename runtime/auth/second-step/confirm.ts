import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { deleteSetUp } from "../account/factors.js";
import type { Credentials } from "../account/store.js";
import { readBody } from "../input.js";
import { refuseDiscarded } from "../limit/attempt.js";
import { announce, type NoticeServices } from "../mailed/notice.js";
import { reauthenticate } from "../password/reauthenticate.js";
import { findCallerAccount, lockCallerAccount } from "../session/caller.js";
import type { SessionServices } from "../session/prove.js";
import { endSignIns } from "../session/revoke.js";
import { isCode } from "../token/code.js";
import { loadRules } from "./authenticator/load-rules.js";
import { newBackupSet } from "./backup-code/rules.js";
import { hasBackupCodes, replaceBackupCodes } from "./backup-code/store.js";
import {
  authenticatorSecret,
  backupKey,
  type DecryptServices,
  decryptOrLog,
  encryptFor,
  pendingSecret,
} from "./encrypted.js";
import { confirmShape } from "./input.js";
import { isFactorOn, setUpScope } from "./rules.js";
import {
  addFactor,
  type Factor,
  findSetUp,
  insertSecondStep,
  type SetUp,
  takeSetUpGuess,
} from "./store.js";

/** `POST /auth/two-factor/confirm`: the first correct code enables the second step. */
export async function confirm(context: Context): Promise<Answer> {
  const { services } = context;
  const { clock, db } = services;
  const { code, password } = await readBody(context, confirmShape);
  if (password !== undefined) {
    await reauthenticate(services, await findCallerAccount(context), {
      password,
      path: "password",
    });
  }
  const backupCodes = await db.transaction(async (tx) => {
    const account = await lockCallerAccount(tx, context);
    const now = clock.now();
    const inside = { ...services, db: tx };
    const setUp = await takeGuessAtSetUp(inside, account, now);
    const factor = await checkCode(services, account, { ...setUp, code, now });
    return factor === null ? null : switchOn(inside, account, factor);
  });
  if (backupCodes !== null) return { status: 200, json: JSON.stringify({ backupCodes }) };
  // Refused after the transaction, so that the count of the wrong guess is committed.
  return refuseWrongCode();
}

function refuseWrongCode(): never {
  return refuse("INVALID_TWO_FACTOR_CODE", {
    status: 422,
    issues: [{ path: "code", message: "Is wrong" }],
  });
}

/**
 * Counts one guess against the pending setup, and returns the setup. Refuses if there is none, or its guesses are used
 * up. The account must be locked.
 */
async function takeGuessAtSetUp(
  { db, config }: SessionServices,
  { id }: Credentials,
  now: Date,
): Promise<SetUp> {
  const setUp = await findSetUp(db, id, now);
  if (setUp === null || !isFactorOn(config, setUp.pending.kind))
    return refuse("TWO_FACTOR_NOT_ENABLED");
  if (!(await takeSetUpGuess(db, id))) refuseDiscarded(setUp.expiresAt, now);
  return setUp;
}

interface SubmittedCode extends SetUp {
  readonly code: string;
  readonly now: Date;
}

/**
 * Returns the factor that a code confirms; null for a wrong code. If the pending secret cannot be decrypted, refuses
 * without counting a guess.
 */
async function checkCode(
  services: DecryptServices,
  account: Credentials,
  { pending: waiting, code, now }: SubmittedCode,
): Promise<Factor | null> {
  const { config } = services;
  if (waiting.kind === "email") {
    const { digest } = waiting;
    const isRight = isCode(config, { code, digest, scope: setUpScope(account) });
    return isRight ? { kind: "email" } : null;
  }
  const { id: accountId } = account;
  const decrypted = decryptOrLog(services, { column: pendingSecret, accountId }, waiting.secret);
  if (decrypted === null) return refuseWrongCode();
  const { plain } = decrypted;
  const { matchTimeStep } = await loadRules();
  const step = matchTimeStep(plain.toString(), code, now);
  if (step === null) return null;
  const secret = encryptFor(config, { column: authenticatorSecret, accountId }, plain);
  return { kind: "totp", secret, step };
}

/**
 * Enables the factor, and ends pending sign-ins, which began under the previous rules; signed-in devices stay signed
 * in. Returns ten new backup codes, or none if the account has some left.
 */
async function switchOn(
  services: NoticeServices,
  account: Credentials,
  factor: Factor,
): Promise<readonly string[]> {
  const { db, config } = services;
  const { id, enrolled } = account;
  await deleteSetUp(db, id);
  await endSignIns(db, id);
  await announce(services, account, { kind: "second-step-on", by: id });
  const isFirst = enrolled.length === 0;
  if (!isFirst) await addFactor(db, id, factor);
  if (!isFirst && (await hasBackupCodes(db, id))) return [];
  const { codes, key, digests } = newBackupSet();
  const encryptedKey = encryptFor(config, { column: backupKey, accountId: id }, key);
  if (isFirst) await insertSecondStep(db, id, { factor, backupKey: encryptedKey });
  await replaceBackupCodes(db, id, { key: encryptedKey, digests });
  return codes;
}
