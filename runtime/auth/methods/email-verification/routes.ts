import { z } from "zod";
import type { Queryable } from "../../../db/index.js";
import type { Answer, Context, HandledRoute } from "../../../http/index.js";
import { addressShape } from "../../account/input.js";
import { type Credentials, setEmailVerified } from "../../account/store.js";
import { accept, codeText, readAccountJson, readBody, text } from "../../input.js";
import { requestMail, linkShape as sendShape } from "../../mailed/request.js";
import { useCode } from "../../mailed/use-code.js";
import { useLink } from "../../mailed/use-link.js";
import { verificationMail } from "../../mailed/verification-mail.js";
import { revoke } from "../../session/revoke.js";

export const codeShape = z.strictObject({ email: addressShape, code: codeText });

export const linkShape = z.strictObject({ token: text });

const purpose = "verification";

export const emailVerificationRoutes: readonly HandledRoute[] = [
  { method: "POST", path: "/auth/email/send", access: "public", handle: sendCode },
  { method: "POST", path: "/auth/email/verify", access: "public", handle: verify },
];

async function sendCode(context: Context): Promise<Answer> {
  const { services } = context;
  const { email, site } = await readBody(context, sendShape(services.config));
  await requestMail(services, {
    purpose,
    email,
    isEligible: ({ emailVerified }) => !emailVerified,
    compose: (addressee, secrets) => verificationMail(site, addressee, secrets),
  });
  return { status: 204, json: null };
}

/** Verifies an address by its code, or by the link's token alone. It does not sign in. */
async function verify(context: Context): Promise<Answer> {
  const { services } = context;
  const body = await readAccountJson(context);
  if (Object.hasOwn(body, "token")) {
    return useLink(services, { purposes: [purpose], ...accept(linkShape, body) }, setVerified);
  }
  return useCode(services, { purpose, ...accept(codeShape, body) }, setVerified);

  async function setVerified(tx: Queryable, account: Credentials): Promise<Answer | null> {
    if (account.disabled) return null;
    await setEmailVerified(tx, { id: account.id, now: services.clock.now() });
    await revoke(tx, account, "all");
    return { status: 204, json: null };
  }
}
