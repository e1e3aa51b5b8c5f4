import type { Queryable } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import type { Answer, Context } from "../../http/index.js";
import type { Services } from "../../services/index.js";
import type { Credentials } from "../account/store.js";
import { readBody } from "../input.js";
import { admitMail } from "../mailed/limit.js";
import { checkPasswordAgain } from "../password/reauthenticate.js";
import { callersAccount, lockCaller } from "../session/caller.js";
import { newInvitation } from "./authenticator/provisioning.js";
import { mailCode } from "./email/mail.js";
import { newEmailedCode } from "./email/rules.js";
import { sealFor, waitingSecret } from "./encrypted.js";
import { enableShape } from "./input.js";
import { isOn, setUpMinutes, setUpPlace } from "./rules.js";
import { type Factor, replaceSetUp } from "./store.js";

/** `POST /auth/two-factor/enable`: begins a set-up; nothing is on before its first right code. */
export async function enable(context: Context): Promise<Answer> {
  const { services } = context;
  const { password, method } = await readBody(context, enableShape);
  if (!isOn(services.config, method)) refuse("NOT_FOUND");
  const account = await callersAccount(context);
  await checkPasswordAgain(services, account, { password, path: "password" });
  return method === "totp" ? inviteApp(context, account) : mailSetUpCode(context);
}

async function inviteApp(context: Context, { email }: Credentials): Promise<Answer> {
  const { config, db } = context.services;
  const invitation = await newInvitation(config.app.name, email);
  await db.transaction(async (tx) => {
    const { id: accountId } = await lockForSetUp(tx, context, "totp");
    const place = { column: waitingSecret, accountId };
    const secret = sealFor(config, place, Buffer.from(invitation.secret));
    const expiresAt = expiry(context.services);
    await replaceSetUp(tx, accountId, { waiting: { kind: "totp", secret }, expiresAt });
  });
  return { status: 200, json: JSON.stringify({ method: "totp", ...invitation }) };
}

async function mailSetUpCode(context: Context): Promise<Answer> {
  const { services } = context;
  const expiresAt = expiry(services);
  await services.db.transaction(async (tx) => {
    const inside = { ...services, db: tx };
    const locked = await lockForSetUp(tx, context, "email");
    await admitMail(inside, "set-up", locked.email);
    const made = newEmailedCode(services.config, setUpPlace(locked));
    const waiting = { kind: "email", digest: made.digest } as const;
    await replaceSetUp(tx, locked.id, { waiting, expiresAt });
    await mailCode(inside, locked, { kind: "set-up-code", code: made.code, expiresAt });
  });
  return { status: 200, json: JSON.stringify({ method: "email" }) };
}

async function lockForSetUp(
  tx: Queryable,
  context: Context,
  kind: Factor["kind"],
): Promise<Credentials> {
  const account = await lockCaller(tx, context);
  const enrolled = kind === "totp" ? "authenticator" : "email";
  if (account.enrolled.includes(enrolled)) refuse("TWO_FACTOR_ALREADY_ENABLED");
  return account;
}

function expiry({ clock }: Services): Date {
  return new Date(clock.now().getTime() + setUpMinutes * 60_000);
}
