import { z } from "zod";
import type { Config, ProviderSettings } from "../../../config/index.js";
import { shapeOf, text } from "../../input.js";
import { deviceNameShape } from "../../session/device.js";
import { returnAddress } from "./rules.js";

/** The redirect URI: the same for all providers, below the dashboard's URL. */
export function redirectUriOf({ webUrl }: Pick<Config, "webUrl">): string {
  if (webUrl === null)
    throw new Error("Providers are configured, but the dashboard's address is not set");
  return `${webUrl}/api/auth/provider/callback`;
}

function providerShape({ auth }: Pick<Config, "auth">) {
  return text.transform((name, { addIssue }): ProviderSettings => {
    const found = auth.providers.find((one) => one.name === name);
    if (found !== undefined) return found;
    const names = auth.providers.map((one) => one.name).join(", ");
    addIssue({ code: "custom", message: `Must be one of ${names}` });
    return z.NEVER;
  });
}

/** S256 of a secret: 32 bytes in base64url. */
const challenge = text.regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/, {
  error: "Must be the SHA-256 of a secret, in base64url",
});

const mustBeReturn =
  "Must be an address below the dashboard's or a site's, or one with a scheme of auth.return_to; at most 2000 characters";

/** The body that begins a sign-in; depends on the app's settings. */
export const startShape = shapeOf((config: Pick<Config, "auth" | "webUrl">) => {
  const { webUrl, auth } = config;
  const pages = [webUrl, ...auth.sites.map(({ url }) => url)].filter((url) => url !== null);
  return z.strictObject({
    provider: providerShape(config),
    challenge,
    returnTo: text.transform((written, { addIssue }): string => {
      const address = returnAddress(written, { pages, schemes: auth.returnTo });
      if (address !== null) return address;
      addIssue({ code: "custom", message: mustBeReturn });
      return z.NEVER;
    }),
  });
});

export const ticketShape = z.strictObject({ ticket: text, secret: text });

export const verifyShape = ticketShape.extend({ deviceName: deviceNameShape });

export const idTokenShape = shapeOf((config: Pick<Config, "auth">) =>
  z.strictObject({
    provider: providerShape(config),
    idToken: text,
    nonce: text.min(1, { error: "Must not be empty" }),
    deviceName: deviceNameShape,
  }),
);
