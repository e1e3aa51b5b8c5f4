import { v7 } from "uuid";
import type { Answer, Context } from "../../http/index.js";
import { lockAccount } from "../account/store.js";
import { sendNotice } from "../mailed/notice.js";
import { isAllowedClient } from "../session/delegated/client.js";
import { resourcesOf } from "../session/delegated/rules.js";
import { type Device, deviceOf } from "../session/device.js";
import { insertSession } from "../session/insert.js";
import { appProof } from "../session/kind.js";
import { hashToken, newToken } from "../token/token.js";
import { errorAnswer, type Form, isError, type OAuthError, oauthError, readForm } from "./form.js";
import { isVerifierOf, resourceNamed, scopeOf } from "./rules.js";
import {
  deleteCode,
  deleteOldestGrants,
  extendGrant,
  type Grant,
  insertGrant,
  lockCode,
  lockGrant,
  type PendingGrant,
} from "./store.js";
import { useRefreshToken } from "./token-store.js";
import {
  answerTokens,
  endReused,
  familyOf,
  type GrantServices,
  grantEnd,
  newFamily,
} from "./tokens.js";

/** `POST /oauth/token`: exchanges a code, or a refresh token, for a new pair of tokens. */
export async function exchange(context: Context): Promise<Answer> {
  const form = await readForm(context);
  const answered = isError(form) ? form : await exchangeForm(context, form);
  return "error" in answered ? errorAnswer(answered) : answered;
}

async function exchangeForm(context: Context, form: Form): Promise<Answer | OAuthError> {
  const type = form.get("grant_type");
  switch (type) {
    case undefined:
      return missing("grant_type");
    case "authorization_code":
      return exchangeCode(context, form);
    case "refresh_token":
      return exchangeRefreshToken(context, form);
    default:
      return oauthError(
        "unsupported_grant_type",
        "The supported grant types are authorization_code and refresh_token",
      );
  }
}

function missing(name: string): OAuthError {
  return oauthError("invalid_request", `${name} is missing`);
}

const invalidCode = oauthError("invalid_grant", "The code is not valid, or has expired");

async function exchangeCode(context: Context, form: Form): Promise<Answer | OAuthError> {
  const { services } = context;
  const needed = ["code", "redirect_uri", "client_id", "code_verifier"];
  const absent = needed.find((name) => !form.has(name));
  if (absent !== undefined) return missing(absent);
  const codeHash = hashToken(form.get("code") ?? "");
  const device = deviceOf(context, null);
  return services.db.transaction(async (db) => {
    const inside = { ...services, db };
    const now = services.clock.now();
    const pending = await lockCode(db, codeHash, now);
    if (pending === null) {
      const grant = await lockGrant(db, { column: "code_hash", value: codeHash }, now);
      if (grant !== null) await endReused(inside, grant);
      return invalidCode;
    }
    const wrong = refusedCode(context, pending, form);
    if (wrong !== null) return wrong;
    await deleteCode(db, codeHash);
    return (await connect(inside, pending, { codeHash, device })) ?? invalidCode;
  });
}

function refusedCode(
  { services: { config } }: Context,
  { clientId, redirectUri, challenge, resource }: PendingGrant,
  form: Form,
): OAuthError | null {
  const isOfClient = form.get("client_id") === clientId && isAllowed(clientId, config);
  const isBound = isOfClient && form.get("redirect_uri") === redirectUri;
  if (!isBound || !isVerifierOf(form.get("code_verifier") ?? "", challenge)) return invalidCode;
  return refusedResource(config, resource, form);
}

function isAllowed(clientId: string, { auth }: GrantServices["config"]): boolean {
  return auth.apps !== null && isAllowedClient(clientId, auth.apps);
}

function refusedResource(
  config: GrantServices["config"],
  resource: string,
  form: Form,
): OAuthError | null {
  const named = form.get("resource");
  if (named === undefined) return null;
  const { mcp, api } = resourcesOf(config);
  return resourceNamed(named, [mcp, api]) === resource
    ? null
    : oauthError("invalid_target", `resource must be ${resource}`);
}

/** Connects an app. Returns null if the account has changed since it allowed the app. */
async function connect(
  services: GrantServices,
  { accountId, generation, name, ...pending }: PendingGrant,
  { codeHash, device }: { readonly codeHash: Buffer; readonly device: Device },
): Promise<Answer | null> {
  const { db, clock } = services;
  const account = await lockAccount(db, { id: accountId });
  if (account === null || account.disabled || account.generation !== generation) return null;
  const now = clock.now();
  const id = v7({ msecs: now.getTime() });
  await insertSession(
    db,
    {
      ...device,
      ...{ id, accountId, generation, name, now },
      // This token is never sent: the tokens of apps are in `service.app_tokens`.
      tokenHash: newToken().hash,
      proofs: [appProof],
      expiresAt: grantEnd(services),
    },
    { kind: "app-connected", by: accountId },
  );
  const { family, familyHash } = newFamily();
  const grant = { ...pending, id, accountId };
  await insertGrant(db, { ...grant, codeHash, familyHash });
  await deleteOldestGrants(db, grant);
  const { host } = new URL(grant.clientId);
  await sendNotice(services, account, { kind: "app-connected", host });
  return answerTokens(services, grant, family);
}

const invalidToken = oauthError("invalid_grant", "The refresh token is not valid, or has expired");

async function exchangeRefreshToken(context: Context, form: Form): Promise<Answer | OAuthError> {
  const { services } = context;
  const refreshToken = form.get("refresh_token");
  const clientId = form.get("client_id");
  if (refreshToken === undefined) return missing("refresh_token");
  if (clientId === undefined) return missing("client_id");
  const family = familyOf(refreshToken);
  if (family === null) return invalidToken;
  const familyHash = hashToken(family);
  return services.db.transaction(async (db): Promise<Answer | OAuthError> => {
    const inside = { ...services, db };
    const now = services.clock.now();
    const grant = await lockGrant(db, { column: "family_hash", value: familyHash }, now);
    if (grant === null || grant.clientId !== clientId) return invalidToken;
    if (!isAllowed(clientId, services.config)) return invalidToken;
    const wrong =
      refusedResource(services.config, grant.resource, form) ?? refusedScope(grant, form);
    if (wrong !== null) return wrong;
    const tokenHash = hashToken(refreshToken);
    const used = await useRefreshToken(db, { tokenHash, grantId: grant.id, now });
    if (used === "reused") await endReused(inside, grant);
    if (used !== "used") return invalidToken;
    await extendGrant(db, { id: grant.id, now, expiresAt: grantEnd(inside) });
    return answerTokens(inside, grant, family);
  });
}

/**
 * Returns an error if the requested scope is unknown or exceeds the granted one; otherwise null. A narrower scope is
 * accepted, but has no effect.
 */
function refusedScope({ scope }: Pick<Grant, "scope">, form: Form): OAuthError | null {
  const named = scopeOf(form.get("scope") ?? scope);
  return named === null || (named === "read write" && scope === "read")
    ? oauthError("invalid_scope", `The app was granted only the scope ${scope}`)
    : null;
}
