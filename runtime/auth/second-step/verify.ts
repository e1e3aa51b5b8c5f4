import type { z } from "zod";
import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { setEmailVerified } from "../account/store.js";
import { readBody } from "../input.js";
import { refuseDiscarded } from "../limit/attempt.js";
import { spendChallenge, takeGuess } from "../session/challenge.js";
import { type Device, deviceOf } from "../session/device.js";
import { type DoorServices, prove, type Showing } from "../session/prove.js";
import { spendAuthenticatorCode } from "./authenticator/store.js";
import { spendBackupCode } from "./backup-code/store.js";
import { isEmailedCode } from "./email/rules.js";
import { verifyShape } from "./input.js";
import { countFailure, refuseAfterFailures } from "./limit.js";
import { lockPending, type PendingSignIn, placeOf } from "./pending.js";

type Guess = Pick<z.output<typeof verifyShape>, "method" | "code">;

/** `POST /auth/two-factor/verify`. */
export async function verify(context: Context): Promise<Answer> {
  const { services } = context;
  const { challenge, deviceName, ...guess } = await readBody(context, verifyShape);
  const answer = await services.db.transaction(async (tx) => {
    const door = { ...services, db: tx };
    const pending = await lockPending(door, challenge);
    refuseOtherMethods(pending, guess);
    await refuseAfterFailures(door, pending.account.id);
    if (!(await passes(door, pending, guess))) return null;
    const device = deviceOf(context, deviceName ?? pending.challenge.deviceName);
    return complete(door, pending, { method: guess.method, device });
  });
  // Only now: what a wrong guess cost is committed.
  return answer ?? refuse("INVALID_TWO_FACTOR_CODE");
}

function refuseOtherMethods({ methods }: PendingSignIn, { method }: Guess): void {
  if (methods.includes(method)) return;
  const message = `Must be one of ${methods.join(", ")}`;
  refuse("INVALID", { issues: [{ path: "method", message }] });
}

/** Judges a code: a right one uses the challenge up, a wrong one costs a guess. */
async function passes(
  door: DoorServices,
  { account, challenge }: PendingSignIn,
  guess: Guess,
): Promise<boolean> {
  const { tokenHash, expiresAt } = challenge;
  if (!(await takeGuess(door.db, tokenHash))) refuseDiscarded(expiresAt, door.clock.now());
  if (await isRight(door, challenge, guess)) return spendChallenge(door.db, tokenHash);
  await countFailure(door, account.id);
  return false;
}

function isRight(
  door: DoorServices,
  challenge: PendingSignIn["challenge"],
  { method, code }: Guess,
): Promise<boolean> | boolean {
  const { accountId, emailCodeDigest: digest } = challenge;
  switch (method) {
    case "totp":
      return spendAuthenticatorCode(door, accountId, code);
    case "backup":
      return spendBackupCode(door, accountId, code);
    case "email": {
      const place = placeOf(challenge);
      return digest !== null && isEmailedCode(door.config, { code, digest, place });
    }
    default:
      return method satisfies never;
  }
}

async function complete(
  door: DoorServices,
  { account, challenge: { proof } }: PendingSignIn,
  { method, device }: Pick<Guess, "method"> & { readonly device: Device },
): Promise<Answer> {
  // Whoever began by mail reads it, and is now known to have set up the rest as well: all of it stays.
  if (proof !== "password") {
    await setEmailVerified(door.db, { id: account.id, now: door.clock.now() });
  }
  const showing: Showing = { proofs: [proof, method], device };
  return (await prove(door, account, showing)) ?? refuse("OTP_EXPIRED");
}
