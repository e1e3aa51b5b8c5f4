import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { deleteSetUp } from "../account/factors.js";
import type { Credentials } from "../account/store.js";
import { readBody } from "../input.js";
import { refuseDiscarded } from "../limit/attempt.js";
import { type NoticeServices, notify } from "../mailed/notice.js";
import { checkPasswordAgain } from "../password/reauthenticate.js";
import { callersAccount, lockCaller } from "../session/caller.js";
import type { DoorServices } from "../session/prove.js";
import { endSignIns } from "../session/revoke.js";
import { stepOf } from "./authenticator/rules.js";
import { newBackupSet } from "./backup-code/rules.js";
import { hasBackupCodes, replaceBackupCodes } from "./backup-code/store.js";
import { isEmailedCode } from "./email/rules.js";
import {
  authenticatorSecret,
  backupKey,
  openOrTell,
  type SealServices,
  sealFor,
  waitingSecret,
} from "./encrypted.js";
import { confirmShape } from "./input.js";
import { isOn, setUpPlace } from "./rules.js";
import {
  addFactor,
  type Factor,
  findSetUp,
  insertSecondStep,
  type SetUp,
  takeSetUpGuess,
} from "./store.js";

/** `POST /auth/two-factor/confirm`: the first right code switches the second step on. */
export async function confirm(context: Context): Promise<Answer> {
  const { services } = context;
  const { clock, db } = services;
  const { code, password } = await readBody(context, confirmShape);
  if (password !== undefined) {
    await checkPasswordAgain(services, await callersAccount(context), {
      password,
      path: "password",
    });
  }
  const backupCodes = await db.transaction(async (tx) => {
    const account = await lockCaller(tx, context);
    const now = clock.now();
    const door = { ...services, db: tx };
    const setUp = await guessAtSetUp(door, account, now);
    const factor = confirmed(services, account, { ...setUp, code, now });
    return factor === null ? null : switchOn(door, account, factor);
  });
  if (backupCodes !== null) return { status: 200, json: JSON.stringify({ backupCodes }) };
  // Only now: what a wrong guess cost is committed.
  return refuseWrongCode();
}

function refuseWrongCode(): never {
  return refuse("INVALID_TWO_FACTOR_CODE", {
    status: 422,
    issues: [{ path: "code", message: "Is wrong" }],
  });
}

/** Takes a guess; refuses where none is waiting, and where its guesses are used up. The account must be locked. */
async function guessAtSetUp(
  { db, config }: DoorServices,
  { id }: Credentials,
  now: Date,
): Promise<SetUp> {
  const setUp = await findSetUp(db, id, now);
  if (setUp === null || !isOn(config, setUp.waiting.kind)) return refuse("TWO_FACTOR_NOT_ENABLED");
  if (!(await takeSetUpGuess(db, id))) refuseDiscarded(setUp.expiresAt, now);
  return setUp;
}

/** A code, and what it should confirm. */
interface Guess extends SetUp {
  readonly code: string;
  readonly now: Date;
}

/** What a code confirms; null for a wrong one. Refuses without a guess where the waiting secret does not open. */
function confirmed(
  services: SealServices,
  account: Credentials,
  { waiting, code, now }: Guess,
): Factor | null {
  const { config } = services;
  if (waiting.kind === "email") {
    const { digest } = waiting;
    const isRight = isEmailedCode(config, { code, digest, place: setUpPlace(account) });
    return isRight ? { kind: "email" } : null;
  }
  const { id: accountId } = account;
  const opened = openOrTell(services, { column: waitingSecret, accountId }, waiting.secret);
  if (opened === null) return refuseWrongCode();
  const { plain } = opened;
  const step = stepOf(plain.toString(), code, now);
  if (step === null) return null;
  const secret = sealFor(config, { column: authenticatorSecret, accountId }, plain);
  return { kind: "totp", secret, step };
}

/**
 * Ends the sign-ins under way, which would need no second step or another one; devices that are signed in
 * stay so. Ten new backup codes, or none where the account has some left.
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
  await notify(services, account, "second-step-on");
  const isFirst = enrolled.length === 0;
  if (!isFirst) await addFactor(db, id, factor);
  if (!isFirst && (await hasBackupCodes(db, id))) return [];
  const { codes, key, digests } = newBackupSet();
  const sealedKey = sealFor(config, { column: backupKey, accountId: id }, key);
  if (isFirst) await insertSecondStep(db, id, { factor, backupKey: sealedKey });
  await replaceBackupCodes(db, id, { key: sealedKey, digests });
  return codes;
}
