import { refuse } from "../../../errors/index.js";
import type { Answer, Context, HandledRoute } from "../../../http/index.js";
import type { Services } from "../../../own-code/index.js";
import { normaliseAddress } from "../../account/address.js";
import { type Credentials, renewPasswordHash } from "../../account/store.js";
import { readBody } from "../../input.js";
import { hashPassword, isWeakHash, matchPassword } from "../../password/hash.js";
import { countAndFind, countSignIn, countUnknownSignIn } from "../../password/limit.js";
import { comparablePassword } from "../../password/rules.js";
import { deviceOf } from "../../session/device.js";
import { prove } from "../../session/prove.js";
import { changePassword } from "./change.js";
import { signInShape } from "./input.js";

export const passwordRoutes: readonly HandledRoute[] = [
  { method: "POST", path: "/auth/token", access: "public", handle: signIn },
  { method: "POST", path: "/auth/password", access: "signed-in", handle: changePassword },
];

async function signIn(context: Context): Promise<Answer> {
  const { services } = context;
  const { email, password, deviceName } = await readBody(context, signInShape);
  const address = normaliseAddress(email);
  const comparable = comparablePassword(password);
  // No account is looked up: nothing is hashed for such a password, so the response time would reveal whether one
  // exists.
  if (comparable === null) {
    await (address === null ? countUnknownSignIn(services, email) : countSignIn(services, address));
    return refuse("INVALID_EMAIL_OR_PASSWORD");
  }

  const account = address === null ? null : await countAndFind(services, address);
  if (address === null) await countUnknownSignIn(services, email);
  const stored = account?.passwordHash ?? null;
  const matching = await matchPassword(stored, { sent: password, comparable });
  if (account === null || matching === "none" || account.disabled) {
    return refuse("INVALID_EMAIL_OR_PASSWORD");
  }
  if (services.config.auth.requireEmailVerification && !account.emailVerified) {
    refuse("EMAIL_NOT_VERIFIED");
  }

  if (matching === "foreign" || isWeakHash(account.passwordHash ?? "")) {
    await renewHash(services, account, comparable);
  }
  const device = deviceOf(context, deviceName);
  const answer = await prove(services, account, { proofs: ["password"], device });
  return answer ?? refuse("INVALID_EMAIL_OR_PASSWORD");
}

async function renewHash(
  { db }: Services,
  { id, passwordHash }: Credentials,
  password: string,
): Promise<void> {
  if (passwordHash === null) return;
  await renewPasswordHash(db, { id, from: passwordHash, to: await hashPassword(password) });
}
