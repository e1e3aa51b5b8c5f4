import { v7 } from "uuid";
import { refuse } from "../../../errors/index.js";
import type { Answer, Context, HandledRoute, Services } from "../../../http/index.js";
import type { Message } from "../../../mail/index.js";
import { refuseTaken } from "../../account/create.js";
import {
  type AddedAccount,
  findCredentials,
  insertAccount,
  lockAccount,
} from "../../account/store.js";
import { readBody } from "../../body.js";
import { hashPassword } from "../../password/hash.js";
import { acceptNewPassword } from "../../password/rules.js";
import { type Device, deviceOf } from "../../session/device.js";
import { prove } from "../../session/prove.js";
import { registerShape } from "./input.js";
import { mailForRegistration } from "./mail.js";

export const registerRoutes: readonly HandledRoute[] = [
  { method: "POST", path: "/auth/register", access: "public", handle: register },
];

async function register(context: Context): Promise<Answer> {
  const { services } = context;
  const { name, email, password, deviceName } = await readBody(context, registerShape);
  const comparable = await acceptNewPassword(services.config, { password, path: "password" });
  const hidesAccounts = services.config.auth.requireEmailVerification;
  if (!hidesAccounts && (await findCredentials(services.db, email)) !== null) refuseTaken();

  const passwordHash = await hashPassword(comparable);
  const now = services.clock.now();
  const id = v7({ msecs: now.getTime() });
  const added = { id, name, email, role: null, passwordHash, emailVerified: false, now };
  return hidesAccounts
    ? addUnseen(services, added)
    : addAndSignIn(services, added, deviceOf(context, deviceName));
}

/** An address that has an account is answered in the same way; only its owner is told, by mail. */
async function addUnseen(services: Services, added: AddedAccount): Promise<Answer> {
  const message = await services.db.transaction(async (tx) => {
    const registered = (await insertAccount(tx, added)) ? "new" : "known";
    const account = await lockAccount(tx, { email: added.email });
    if (account === null) return null;
    return mailForRegistration({ ...services, db: tx }, account, registered);
  });
  if (message !== null) services.mailer.send(message);
  return { status: 200, json: JSON.stringify({ emailVerification: true }) };
}

async function addAndSignIn(
  services: Services,
  added: AddedAccount,
  device: Device,
): Promise<Answer> {
  const result = await services.db.transaction(
    async (tx): Promise<{ answer: Answer | null; message: Message | null } | null> => {
      if (!(await insertAccount(tx, added))) return null;
      const account = await lockAccount(tx, { email: added.email });
      if (account === null) return null;
      const inside = { ...services, db: tx };
      const answer = await prove(inside, account, ["password"], device);
      return { answer, message: await mailForRegistration(inside, account, "new") };
    },
  );
  // The address was free a moment ago.
  if (result === null || result.answer === null) {
    return refuse("USER_ALREADY_EXISTS", { status: 409, field: "email" });
  }
  if (result.message !== null) services.mailer.send(result.message);
  return result.answer;
}
