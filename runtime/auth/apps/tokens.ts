import type { Transaction } from "../../db/index.js";
import type { Answer } from "../../http/index.js";
import type { Services } from "../../own-code/index.js";
import { lockAccount } from "../account/store.js";
import { announce, type NoticeServices } from "../mailed/notice.js";
import { hashToken, newToken } from "../token/token.js";
import { deleteGrant, type Grant } from "./store.js";
import { deleteOldTokens, insertTokens } from "./token-store.js";

/** The services for changing a grant; `db` is its transaction. */
export type GrantServices = NoticeServices & Pick<Services, "config">;

/**
 * Number of characters in the first half of a refresh token, which all tokens of a grant share: 32 bytes in base64url.
 */
const familyLength = 43;

export function newFamily(): { readonly family: string; readonly familyHash: Buffer } {
  const { token: family, hash: familyHash } = newToken();
  return { family, familyHash };
}

/** Returns the first half of a refresh token; null for any other string. */
export function familyOf(refreshToken: string): string | null {
  return refreshForm.test(refreshToken) ? refreshToken.slice(0, familyLength) : null;
}

const refreshForm = new RegExp(`^[A-Za-z0-9_-]{${2 * familyLength}}$`);

/** Returns the time at which a grant expires unless it is used. */
export function grantEnd({ config, clock }: Pick<GrantServices, "config" | "clock">): Date {
  const { access, refresh } = lifetimes(config);
  return new Date(clock.now().getTime() + 1000 * Math.max(access, refresh));
}

/** The lifetimes of tokens, in seconds. */
function lifetimes({ auth: { apps } }: GrantServices["config"]) {
  if (apps === null) throw new Error("Apps are disabled");
  return { access: apps.accessMinutes * 60, refresh: apps.refreshDays * 86_400 };
}

/** Creates a pair of tokens for a locked grant, and returns the response that contains them (RFC 6749 §5.1). */
export async function answerTokens(
  { db, clock, config }: GrantServices,
  { id: grantId, scope }: Pick<Grant, "id" | "scope">,
  family: string,
): Promise<Answer> {
  const now = clock.now();
  const { access, refresh } = lifetimes(config);
  const { token: accessToken, hash: accessHash } = newToken("app_");
  const refreshToken = family + newToken().token;
  await insertTokens(db, {
    grantId,
    accessHash,
    accessEnd: new Date(now.getTime() + access * 1000),
    refreshHash: hashToken(refreshToken),
    refreshEnd: new Date(now.getTime() + refresh * 1000),
    now,
  });
  await deleteOldTokens(db, grantId, now);
  const body = {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: access,
    refresh_token: refreshToken,
    scope,
  };
  return { status: 200, json: JSON.stringify(body), headers: { pragma: "no-cache" } };
}

/** Ends a grant whose code or refresh token was used twice, as it may have been stolen. */
export async function endReused(
  services: GrantServices & { readonly db: Transaction },
  { id, accountId, clientId }: Grant,
): Promise<void> {
  await deleteGrant(services.db, id);
  const account = await lockAccount(services.db, { id: accountId });
  if (account === null) return;
  const { host } = new URL(clientId);
  await announce(services, account, { kind: "app-token-reused", host, by: null });
}
