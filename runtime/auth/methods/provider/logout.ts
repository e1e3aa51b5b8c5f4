import { refuse } from "../../../errors/index.js";
import type { Answer, Context } from "../../../http/index.js";
import { lockAccount } from "../../account/store.js";
import { recordEvent } from "../../event/record.js";
import { once, readForm } from "../../form.js";
import { deleteSessionsOf } from "../../identity/sessions.js";
import { findIdentity, type Subject } from "../../identity/store.js";
import type { NoticeServices } from "../../mailed/notice.js";
import { endSignIns } from "../../session/revoke.js";
import { whileAvailable } from "./available.js";
import { openProtocol } from "./protocol/open.js";
import { profileOf } from "./protocol/profile.js";
import { AnswerRefused } from "./protocol/refused.js";
import { takeToken } from "./store.js";

/** A sign-out at a provider, reported by a token that is valid once. */
interface Left extends Subject {
  readonly exp: number;
}

/**
 * `POST /auth/provider/logout`: a logout token reports that a person has signed out at the provider (OpenID Connect
 * Back-Channel Logout 1.0). All sessions opened by their identity end.
 */
export async function logout(context: Context): Promise<Answer> {
  const { services } = context;
  const sent = await readForm(context);
  const token = sent && once(sent, "logout_token");
  const left = token && (await judge(context, token));
  if (!left) return refuseLogout();
  const { maxSkew } = await openProtocol();
  const isTaken = await services.db.transaction(async (tx) => {
    if (!(await takeToken(tx, { token, lastSecond: left.exp + maxSkew }))) return false;
    await endDevices({ ...services, db: tx }, left);
    return true;
  });
  if (isTaken) return { status: 200, json: "{}" };
  logRefused(context, "it was used before");
  return refuseLogout();
}

/** Returns the subject of a logout token; if no provider accepts the token, logs the reason and returns null. */
async function judge(context: Context, token: string): Promise<Left | null> {
  const { services } = context;
  const { clock, config } = services;
  const { judgeLogoutToken, providersOfToken, recentMetadata } = await openProtocol();
  let reason = "it belongs to no provider of this app (iss, aud)";
  for (const provider of providersOfToken(token, config.auth.providers)) {
    const source = { provider, clock };
    try {
      const claims = await whileAvailable(services, provider, async () =>
        judgeLogoutToken(source, await recentMetadata(source), token),
      );
      const { issuer, subject } = profileOf(provider, claims);
      return { issuer, subject, exp: claims.exp };
    } catch (error) {
      if (!(error instanceof AnswerRefused)) throw error;
      reason = error.message;
    }
  }
  logRefused(context, reason);
  return null;
}

async function endDevices(
  services: Pick<NoticeServices, "db" | "clock">,
  left: Subject,
): Promise<void> {
  const { db: tx } = services;
  const identity = await findIdentity(tx, left);
  const account = identity && (await lockAccount(tx, { id: identity.accountId }));
  if (!account) return;
  // A sign-in may be in progress, and must not complete.
  await endSignIns(tx, account.id);
  if (await deleteSessionsOf(tx, identity.id)) {
    await recordEvent(services, {
      kind: "sessions-ended",
      accountId: account.id,
      by: account.id,
    });
  }
}

function logRefused({ services }: Context, reason: string): void {
  services.log.warn({ reason }, "a logout token was refused");
}

function refuseLogout(): never {
  return refuse("BAD_REQUEST", { error: "The logout token is not valid" });
}
