import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  fetchUserInfo,
} from "openid-client";
import { clientSecret, nameInForm } from "./apple.js";
import { ask, askWhole, isLocal, responseOf } from "./ask.js";
import { claimAt } from "./claim.js";
import { askGitHub, isGitHub } from "./github.js";
import { type Claims, judgeIdToken } from "./id-token.js";
import { type Metadata, type ProviderSource, recentMetadata } from "./metadata.js";
import { type Profile, profileOf, profileOfGitHub } from "./profile.js";
import { AnswerRefused } from "./refused.js";

/** Binds a provider's response to the sign-in that it is for. */
export interface Binding {
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** S256 of the verifier. */
  readonly challenge: string;
}

/** A provider's response, received through the browser. */
export interface CodeAnswer {
  readonly code: string;
  /** The provider that claims to respond (RFC 9207); null if the parameter is missing. */
  readonly iss: string | null;
  /** The person's name; sent by Apple only. */
  readonly user: string | null;
}

export async function authorizationUrl(
  source: ProviderSource,
  metadata: Metadata,
  { redirectUri, state, nonce, challenge }: Omit<Binding, "verifier">,
): Promise<string> {
  const { kind, scope } = source.provider;
  const config = await configurationOf(source, metadata);
  const url = buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...(kind !== "github" && { nonce }),
    // Apple returns names and email addresses only with this mode.
    ...(kind === "apple" && { response_mode: "form_post" }),
  });
  return url.href;
}

/**
 * Exchanges a code for a person's identity. Throws `AnswerRefused`, or an error of the library, if the provider refuses
 * it or any part of its response is invalid, and `ProviderUnavailable` if it does not respond.
 */
export async function exchange(
  source: ProviderSource,
  answer: CodeAnswer,
  binding: Binding,
): Promise<Profile> {
  const metadata = await recentMetadata(source);
  const { provider } = source;
  const { iss } = answer;
  const isGitHubs = provider.kind === "github" && iss !== null;
  if (isGitHubs && !isGitHub(provider, iss)) {
    throw new AnswerRefused("the callback comes from another issuer (iss)");
  }
  // GitHub's `iss` is checked here: it is not the issuer that the library knows.
  const judged = isGitHubs ? { ...answer, iss: null } : answer;
  const config = await configurationOf(source, metadata);
  const taken: { idToken: string | null } = { idToken: null };
  config[customFetch] = withoutIdToken(source, metadata, taken);
  const { access_token: accessToken } = await authorizationCodeGrant(
    config,
    addressOf(judged, binding),
    { expectedState: binding.state, pkceCodeVerifier: binding.verifier },
  );
  if (provider.kind === "github") {
    const user = await askGitHub(provider, config, accessToken);
    if (user === null) throw new AnswerRefused("GitHub's response does not name the user");
    return profileOfGitHub(provider, user);
  }
  const { idToken } = taken;
  if (idToken === null) throw new AnswerRefused("there is no ID token");
  const claims = await judgeIdToken(source, metadata, { idToken, nonce: binding.nonce });
  const { kind, emailClaim } = provider;
  const needsMore =
    kind === "own" && claimAt(claims, emailClaim) === undefined && metadata.userinfo_endpoint;
  const more = needsMore ? await userInfo(config, { accessToken, claims, emailClaim }) : {};
  const formName = provider.kind === "apple" ? nameInForm(answer.user) : null;
  return profileOf(provider, claims, formName === null ? more : { ...more, name: formName });
}

/**
 * Requests claims that the ID token lacks. The email address is returned under the complete name in `emailClaim`, which
 * `claimAt` prefers to a path.
 */
async function userInfo(
  config: Configuration,
  {
    accessToken,
    claims,
    emailClaim,
  }: { readonly accessToken: string; readonly claims: Claims; readonly emailClaim: string },
): Promise<Readonly<Record<string, unknown>>> {
  const info = await fetchUserInfo(config, accessToken, claims.sub);
  const { email_verified, name } = info;
  const email = claimAt(info, emailClaim);
  return { email_verified, [emailClaim]: email, ...(name !== undefined && { name }) };
}

/** The callback URL that the provider called; the library checks `state` and `iss`. */
function addressOf({ code, iss }: CodeAnswer, { redirectUri, state }: Binding): URL {
  const url = new URL(redirectUri);
  url.search = new URLSearchParams({ code, state, ...(iss !== null && { iss }) }).toString();
  return url;
}

/** Removes the ID token from the response: `judgeIdToken` checks it, since the library supports only one audience. */
function withoutIdToken(
  { provider }: ProviderSource,
  metadata: Metadata,
  taken: { idToken: string | null },
): CustomFetch {
  return async (url, options) => {
    const answer = await askWhole(provider, url, options);
    const { status, headers, bytes } = answer;
    const isToken = url === new URL(metadata.token_endpoint).href;
    const body = isToken ? objectIn(new TextDecoder().decode(bytes)) : null;
    if (body === null) return responseOf(answer);
    const { id_token: idToken, ...rest } = body;
    taken.idToken = typeof idToken === "string" ? idToken : null;
    return new Response(JSON.stringify(rest), { status, headers });
  };
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? { ...value }
      : null;
  } catch {
    return null;
  }
}

async function configurationOf(source: ProviderSource, metadata: Metadata): Promise<Configuration> {
  const { provider } = source;
  const authentication = await clientAuthentication(source, metadata);
  const config = new Configuration(metadata, provider.clientId, undefined, authentication);
  config[customFetch] = (url, options) => ask(provider, url, options);
  if (isLocal(provider.issuer)) allowInsecureRequests(config);
  return config;
}

async function clientAuthentication(
  { provider, clock }: ProviderSource,
  { token_endpoint_auth_methods_supported: methods }: Metadata,
): Promise<ClientAuth> {
  const { kind, secret } = provider;
  if (secret.kind === "key") {
    return ClientSecretPost(await clientSecret(provider, secret, clock.now()));
  }
  // OpenID Connect Discovery 1.0 §3: without the list, the secret is sent in the header.
  const takesBody = kind !== "own" || (methods ?? []).includes("client_secret_post");
  return takesBody ? ClientSecretPost(secret.secret) : ClientSecretBasic(secret.secret);
}
