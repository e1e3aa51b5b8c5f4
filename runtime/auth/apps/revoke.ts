import type { Answer, Context } from "../../http/index.js";
import { recordEvent } from "../event/record.js";
import { hashToken } from "../token/token.js";
import { errorAnswer, isError, type OAuthError, oauthError, readForm } from "./form.js";
import { deleteGrant, lockGrant } from "./store.js";
import { deleteToken, findGrantOfAccess } from "./token-store.js";
import { familyOf } from "./tokens.js";

/**
 * `POST /oauth/revoke` (RFC 7009): a refresh token ends the app's connection, an access token only itself. The token is
 * sufficient; a `client_id` is optional, but must match.
 */
export async function revoke(context: Context): Promise<Answer> {
  const form = await readForm(context);
  if (isError(form)) return errorAnswer(form);
  const token = form.get("token");
  if (token === undefined) return errorAnswer(oauthError("invalid_request", "token is missing"));
  const refused = await end(context, token, form.get("client_id") ?? null);
  return refused === null ? { status: 200, json: null } : errorAnswer(refused);
}

const ofOther = oauthError("invalid_request", "The token belongs to another app");

function end(
  { services }: Context,
  token: string,
  clientId: string | null,
): Promise<OAuthError | null> {
  const { db, clock } = services;
  const family = familyOf(token);
  return db.transaction(async (tx) => {
    const key = { column: "family_hash", value: hashToken(family ?? "") } as const;
    const grant = family === null ? null : await lockGrant(tx, key, clock.now());
    const found = grant ?? (await findGrantOfAccess(tx, hashToken(token)));
    if (found === null) return null;
    if (clientId !== null && clientId !== found.clientId) return ofOther;
    if (grant === null) {
      await deleteToken(tx, hashToken(token));
      return null;
    }
    await deleteGrant(tx, grant.id);
    const { accountId } = grant;
    await recordEvent({ db: tx, clock }, { kind: "app-disconnected", accountId, by: accountId });
    return null;
  });
}
