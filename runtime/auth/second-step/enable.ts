import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import type { Services } from "../../own-code/index.js";
import type { Credentials } from "../account/store.js";
import { readBody } from "../input.js";
import { countMailOrRefuse } from "../mailed/limit.js";
import { reauthenticate } from "../password/reauthenticate.js";
import { findCallerAccount, lockCallerAccount } from "../session/caller.js";
import { newProvisioning } from "./authenticator/provisioning.js";
import { mailCode } from "./email/mail.js";
import { newEmailedCode } from "./email/rules.js";
import { encryptFor, pendingSecret } from "./encrypted.js";
import { enableShape } from "./input.js";
import { isFactorOn, setUpMinutes, setUpScope } from "./rules.js";
import { type Factor, replaceSetUp } from "./store.js";

/** `POST /auth/two-factor/enable`: begins a setup. The factor is enabled by its first correct code. */
export async function enable(context: Context): Promise<Answer> {
  const { services } = context;
  const { password, method } = await readBody(context, enableShape);
  if (!isFactorOn(services.config, method)) refuse("NOT_FOUND");
  const account = await findCallerAccount(context);
  await reauthenticate(services, account, { password, path: "password" });
  return method === "totp" ? setUpAuthenticator(context, account) : setUpEmail(context);
}

async function setUpAuthenticator(context: Context, { email }: Credentials): Promise<Answer> {
  const { config, db } = context.services;
  const invitation = await newProvisioning(config.app.name, email);
  await db.transaction(async (tx) => {
    const { id: accountId } = await lockForSetUp(tx, context, "totp");
    const target = { column: pendingSecret, accountId };
    const secret = encryptFor(config, target, Buffer.from(invitation.secret));
    const expiresAt = newExpiry(context.services);
    await replaceSetUp(tx, accountId, { pending: { kind: "totp", secret }, expiresAt });
  });
  return { status: 200, json: JSON.stringify({ method: "totp", ...invitation }) };
}

async function setUpEmail(context: Context): Promise<Answer> {
  const { services } = context;
  const expiresAt = newExpiry(services);
  await services.db.transaction(async (tx) => {
    const inside = { ...services, db: tx };
    const locked = await lockForSetUp(tx, context, "email");
    await countMailOrRefuse(inside, "set-up", locked.email);
    const emailCode = newEmailedCode(services.config, setUpScope(locked));
    const waiting = { kind: "email", digest: emailCode.digest } as const;
    await replaceSetUp(tx, locked.id, { pending: waiting, expiresAt });
    await mailCode(inside, locked, { kind: "set-up-code", code: emailCode.code, expiresAt });
  });
  return { status: 200, json: JSON.stringify({ method: "email" }) };
}

async function lockForSetUp(
  tx: Queryable,
  context: Context,
  kind: Factor["kind"],
): Promise<Credentials> {
  const account = await lockCallerAccount(tx, context);
  const enrolled = kind === "totp" ? "authenticator" : "email";
  if (account.enrolled.includes(enrolled)) refuse("TWO_FACTOR_ALREADY_ENABLED");
  return account;
}

function newExpiry({ clock }: Services): Date {
  return new Date(clock.now().getTime() + setUpMinutes * 60_000);
}
