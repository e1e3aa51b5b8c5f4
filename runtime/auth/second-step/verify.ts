import type { z } from "zod";
import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import { transactionOfOperators } from "../account/last-operator.js";
import { type Credentials, setEmailVerified } from "../account/store.js";
import { type Arrival, logRefused, receive } from "../identity/arrival.js";
import { readBody } from "../input.js";
import { refuseDiscarded } from "../limit/attempt.js";
import type { NoticeServices } from "../mailed/notice.js";
import { spendChallenge, takeGuess } from "../session/challenge.js";
import { type Device, deviceOf } from "../session/device.js";
import { type Evidence, prove, type SessionServices } from "../session/prove.js";
import { isCode } from "../token/code.js";
import { spendAuthenticatorCode } from "./authenticator/store.js";
import { spendBackupCode } from "./backup-code/store.js";
import { verifyShape } from "./input.js";
import { countFailure, refuseAfterFailures } from "./limit.js";
import { challengeScope, lockPending, type PendingSignIn } from "./pending.js";

type SubmittedCode = Pick<z.output<typeof verifyShape>, "method" | "code">;

/** `POST /auth/two-factor/verify`. */
export async function verify(context: Context): Promise<Answer> {
  const { services } = context;
  const { challenge, deviceName, ...guess } = await readBody(context, verifyShape);
  const answer = await transactionOfOperators(services.db, async (tx) => {
    const inside = { ...services, db: tx };
    const pending = await lockPending(inside, challenge);
    refuseOtherMethods(pending, guess);
    await refuseAfterFailures(inside, pending.account.id);
    if (!(await passes(inside, pending, guess))) return null;
    const device = deviceOf(context, deviceName ?? pending.challenge.deviceName);
    return complete(inside, pending, { method: guess.method, device });
  });
  // Refused after the transaction, so that the count of the wrong guess is committed.
  return answer ?? refuse("INVALID_TWO_FACTOR_CODE");
}

function refuseOtherMethods({ methods }: PendingSignIn, { method }: SubmittedCode): void {
  if (methods.includes(method)) return;
  const message = `Must be one of ${methods.join(", ")}`;
  refuse("INVALID", { issues: [{ path: "method", message }] });
}

/** Checks a code: a correct code spends the challenge, a wrong one costs a guess. */
async function passes(
  services: SessionServices,
  { account, challenge }: PendingSignIn,
  guess: SubmittedCode,
): Promise<boolean> {
  const { tokenHash, expiresAt } = challenge;
  if (!(await takeGuess(services.db, tokenHash))) refuseDiscarded(expiresAt, services.clock.now());
  if (await isRight(services, challenge, guess)) return spendChallenge(services.db, tokenHash);
  await countFailure(services, account.id);
  return false;
}

function isRight(
  services: SessionServices,
  challenge: PendingSignIn["challenge"],
  { method, code }: SubmittedCode,
): Promise<boolean> | boolean {
  const { accountId, emailCodeDigest: digest } = challenge;
  switch (method) {
    case "totp":
      return spendAuthenticatorCode(services, accountId, code);
    case "backup":
      return spendBackupCode(services, accountId, code);
    case "email": {
      const scope = challengeScope(challenge);
      return digest !== null && isCode(services.config, { code, digest, scope });
    }
    default:
      return method satisfies never;
  }
}

async function complete(
  services: SessionServices & NoticeServices,
  { account, challenge: { proof, arrival } }: PendingSignIn,
  { method, device }: Pick<SubmittedCode, "method"> & { readonly device: Device },
): Promise<Answer> {
  // A sign-in by email verifies the address, and so does one by a provider that guarantees it. The second step proves
  // that the same person set up the account, so nothing is deleted, unlike on adoption.
  const verifies = proof === "magic-link" || proof === "email-code" || proof === "vouched-address";
  if (verifies) {
    await setEmailVerified(services.db, { id: account.id, now: services.clock.now() });
  }
  const proven = verifies ? { ...account, emailVerified: true } : account;
  const received = arrival === null ? proven : await arrived(services, proven, arrival);
  const evidence: Evidence = { proofs: [proof, method], device, ...(arrival && { arrival }) };
  const answer = received && (await prove(services, received, evidence));
  if (answer !== null) return answer;
  if (arrival !== null) {
    const { provider } = arrival;
    logRefused(services, { provider, reason: "account changed meanwhile" });
  }
  return refuse("OTP_EXPIRED");
}

/** Completes the sign-in that waited for the second step; null if it is no longer valid. */
async function arrived(
  services: SessionServices & NoticeServices,
  account: Credentials,
  arrival: Arrival,
): Promise<Credentials | null> {
  const { providers } = services.config.auth;
  const isConfigured = providers.some(({ name }) => name === arrival.provider);
  return isConfigured ? receive(services, account, arrival) : null;
}
