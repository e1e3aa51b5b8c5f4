import { type Configuration, fetchProtectedResource } from "openid-client";
import { z } from "zod";
import type { ProviderSettings } from "../../../../config/index.js";
import { apiOf } from "./github-api.js";

/** A person's data, requested from GitHub's API because GitHub issues no signed tokens. */
export interface GitHubUser {
  readonly id: string;
  readonly name: string | null;
  readonly claims: Readonly<Record<string, unknown>>;
  /** The primary address, if it is verified. */
  readonly email: string | null;
}

/**
 * Whether the `iss` of a callback (RFC 9207) is this GitHub: its authorization server is below the issuer of the
 * settings.
 */
export function isGitHub({ issuer }: Pick<ProviderSettings, "issuer">, iss: string): boolean {
  return iss === issuer || iss === `${issuer}/login/oauth`;
}

/** Requests the owner of the access token from GitHub; null if the response is not valid. */
export async function askGitHub(
  provider: Pick<ProviderSettings, "issuer">,
  config: Configuration,
  accessToken: string,
): Promise<GitHubUser | null> {
  const base = apiOf(provider);
  const user = userShape.safeParse(await askJson(config, accessToken, `${base}/user`)).data;
  if (user === undefined) return null;
  const found = await askJson(config, accessToken, `${base}/user/emails`);
  const emails = emailsShape.safeParse(found).data ?? [];
  const primary = emails.find((one) => one.primary && one.verified);
  const id = String(user.id);
  return {
    id,
    name: user.name ?? user.login ?? null,
    // The id as text, like a subject. The login is not used, because GitHub may reassign it.
    claims: { ...user, id },
    email: primary?.email ?? null,
  };
}

/** Returns null for any response except 200 with JSON. */
async function askJson(config: Configuration, token: string, url: string): Promise<unknown> {
  const headers = new Headers({ accept: "application/vnd.github+json" });
  const response = await fetchProtectedResource(
    config,
    token,
    new URL(url),
    "GET",
    undefined,
    headers,
  );
  if (response.status !== 200) return null;
  try {
    return await response.json();
  } catch {
    return null;
  }
}

const userShape = z.looseObject({
  id: z.union([z.int().positive(), z.string().regex(/^\d{1,20}$/)]),
  login: z.string().nullish(),
  name: z.string().nullish(),
});

const emailsShape = z.array(
  z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }),
);
