import { addressOfProvider } from "../../api/account/providers.js";
import { type Departure, keepDeparture } from "../../api/client/challenge.js";
import { leaveForProvider, providerPath, wholeAddress } from "../../browser/address/address.js";

/** Opens a provider's page, and stores the reason. */
export async function goToProvider(
  provider: string,
  { what, account, redirectTo }: Omit<Departure, "secret">,
): Promise<void> {
  const secret = encoded(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(secret));
  const challenge = encoded(new Uint8Array(digest));
  const returnTo = wholeAddress(providerPath);
  const url = await addressOfProvider({ provider, challenge, returnTo });
  keepDeparture({ secret, what, account, redirectTo });
  leaveForProvider(url);
}

/** Encodes bytes as base64url without padding. */
function encoded(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
