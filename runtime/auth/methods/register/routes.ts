import { v7 } from "uuid";
import { z } from "zod";
import type { Config } from "../../../config/index.js";
import { refuse } from "../../../errors/index.js";
import type { Answer, Context, HandledRoute } from "../../../http/index.js";
import type { Services } from "../../../own-code/index.js";
import { refuseTaken } from "../../account/address.js";
import { addressShape, nameShape } from "../../account/input.js";
import { findCredentials, insertAccount, lockAccount } from "../../account/store.js";
import { recordEvent } from "../../event/record.js";
import { readBody, shapeOf, text } from "../../input.js";
import { countMail } from "../../mailed/limit.js";
import { hashPassword } from "../../password/hash.js";
import { acceptNewPassword } from "../../password/rules.js";
import { type Device, deviceNameShape, deviceOf } from "../../session/device.js";
import { prove } from "../../session/prove.js";
import { siteShape } from "../../site.js";
import { registrationMail } from "./mail.js";
import { type Registration, registerPendingVerification } from "./pending-verification.js";

/** Without a role: only operators assign roles. */
export const registerShape = shapeOf((config: Config) =>
  z.strictObject({
    name: nameShape,
    email: addressShape,
    password: text,
    deviceName: deviceNameShape,
    site: siteShape(config),
  }),
);

export const registerRoutes: readonly HandledRoute[] = [
  { method: "POST", path: "/auth/register", access: "public", handle: register },
];

async function register(context: Context): Promise<Answer> {
  const { services } = context;
  const { config, clock } = services;
  const sent = await readBody(context, registerShape(config));
  const { name, email, deviceName, site } = sent;
  const password = await acceptNewPassword(config, { password: sent.password, path: "password" });
  const now = clock.now();
  const id = v7({ msecs: now.getTime() });
  const registration = { id, name, email, role: null, password, emailVerified: false, now, site };
  return config.auth.requireEmailVerification
    ? registerPendingVerification(services, registration)
    : registerAndSignIn(services, registration, deviceOf(context, deviceName));
}

async function registerAndSignIn(
  services: Services,
  { password, site, ...registration }: Registration,
  device: Device,
): Promise<Answer> {
  const { email } = registration;
  if ((await findCredentials(services.db, { email })) !== null) refuseTaken();
  const passwordHash = await hashPassword(password);
  const answer = await services.db.transaction(async (tx): Promise<Answer | null> => {
    if (!(await insertAccount(tx, { ...registration, passwordHash }))) return null;
    const account = await lockAccount(tx, { email });
    if (account === null) return null;
    const inside = { ...services, db: tx };
    const { id } = account;
    await recordEvent(inside, { kind: "account-created", accountId: id, by: id });
    const { allowed } = await countMail(inside, "verification", email);
    const message = allowed ? await registrationMail(inside, account, site) : null;
    if (message !== null) await services.mailer.send(tx, message);
    return prove(inside, account, { proofs: ["password"], device });
  });
  // The address was free when it was checked above.
  return answer ?? refuse("USER_ALREADY_EXISTS", { status: 409, field: "email" });
}
