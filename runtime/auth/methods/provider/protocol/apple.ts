import { createPrivateKey } from "node:crypto";
import { SignJWT } from "jose";
import { z } from "zod";
import type { ProviderSettings } from "../../../../config/index.js";
import { parseJson } from "../../../../values/json.js";

/** Seconds for which a client secret is valid: each is used for one request. Apple would accept half a year. */
const lifetime = 300;

/** Apple's client secret: a token that identifies the client, signed with the key that Apple created for the team. */
export function clientSecret(
  { issuer, clientId }: ProviderSettings,
  key: Extract<ProviderSettings["secret"], { kind: "key" }>,
  now: Date,
): Promise<string> {
  const seconds = Math.floor(now.getTime() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: "ES256", kid: key.keyId })
    .setIssuer(key.teamId)
    .setSubject(clientId)
    .setAudience(issuer)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + lifetime)
    .sign(createPrivateKey(key.privateKey));
}

/** The name in the `user` parameter of Apple's form, sent only at a person's first sign-in. */
export function nameInForm(user: string | null): string | null {
  if (user === null) return null;
  const { data } = form.safeParse(user);
  if (data === undefined) return null;
  const name = [data.firstName, data.lastName].filter((part) => part !== "").join(" ");
  return name === "" ? null : name;
}

const part = z
  .string()
  .nullish()
  .transform((text) => text?.trim() ?? "");

const form = z
  .string()
  .transform((text): unknown => {
    const parsed = parseJson(text);
    return parsed.kind === "value" ? parsed.value : null;
  })
  .pipe(z.object({ name: z.object({ firstName: part, lastName: part }) }))
  .transform(({ name }) => name);
