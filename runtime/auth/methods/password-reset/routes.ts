import { z } from "zod";
import type { Answer, Context, HandledRoute } from "../../../http/index.js";
import { deleteIdentities, deletePasskeys } from "../../account/factors.js";
import {
  type Credentials,
  resetProfile,
  setEmailVerified,
  setPassword,
} from "../../account/store.js";
import { readBody, text } from "../../input.js";
import { linkTo } from "../../mailed/link.js";
import { announce, type NoticeServices } from "../../mailed/notice.js";
import { linkShape, requestMail } from "../../mailed/request.js";
import { findAddressOfLink, useLink } from "../../mailed/use-link.js";
import { hashPassword } from "../../password/hash.js";
import { acceptNewPassword } from "../../password/rules.js";
import { revoke } from "../../session/revoke.js";

export const resetShape = z.strictObject({ token: text, newPassword: text });

const purpose = "reset";

/** An invitation links to the same page. */
const purposes = ["reset", "invitation"] as const;

export const passwordResetRoutes: readonly HandledRoute[] = [
  { method: "POST", path: "/auth/password/forgot", access: "public", handle: sendLink },
  { method: "POST", path: "/auth/password/reset", access: "public", handle: reset },
];

async function sendLink(context: Context): Promise<Answer> {
  const { services } = context;
  const { email, site } = await readBody(context, linkShape(services.config));
  await requestMail(services, {
    purpose,
    email,
    compose: (addressee, { token, minutes }) => {
      const link = linkTo(site, "/reset-password", { token });
      return link === null ? null : { ...addressee, kind: "reset-link", link, minutes };
    },
  });
  return { status: 204, json: null };
}

async function reset(context: Context): Promise<Answer> {
  const { services } = context;
  const { token, newPassword } = await readBody(context, resetShape);
  // Checked first, so that only requests with a valid link reach the breach list and the hashing.
  await findAddressOfLink(services, { purposes, token });
  const password = { password: newPassword, path: "newPassword" };
  const passwordHash = await hashPassword(await acceptNewPassword(services.config, password));
  return useLink(services, { purposes, token }, (tx, account) =>
    replacePassword({ ...services, db: tx }, account, passwordHash),
  );
}

/**
 * Sets the password. The link also verifies the address; the second step remains required, and no session is opened.
 */
async function replacePassword(
  services: NoticeServices,
  account: Credentials,
  passwordHash: string,
): Promise<Answer> {
  const { db: tx, clock } = services;
  const now = clock.now();
  const { id, emailVerified, invited } = account;
  await setPassword(tx, { id, passwordHash, now });
  // An unverified account may have been created by another person, unless an operator invited its owner.
  if (!emailVerified && !invited) {
    await deletePasskeys(tx, id);
    await deleteIdentities(tx, id);
    await resetProfile(tx, { ...account, now });
  }
  await setEmailVerified(tx, { id, now });
  await revoke(tx, account, "none");
  await announce(services, account, { kind: "password-reset", by: id });
  return { status: 204, json: null };
}
