import type { Services } from "../../../own-code/index.js";
import type { Site } from "../../site.js";
import { newToken } from "../../token/token.js";
import { ceremonyMilliseconds } from "./rules.js";
import { insertChallenge } from "./store.js";

/**
 * Makes a challenge for one ceremony at a site: 32 random bytes in base64url, of which only the hash is stored.
 * `accountId` is the account that adds a passkey; null for signing in.
 */
export async function makeChallenge(
  { db, clock }: Pick<Services, "db" | "clock">,
  { accountId, site }: { readonly accountId: string | null; readonly site: Site },
): Promise<string> {
  const now = clock.now();
  const { token, hash } = newToken();
  const expiresAt = new Date(now.getTime() + ceremonyMilliseconds);
  await insertChallenge(db, { hash, accountId, site: site.name, expiresAt });
  return token;
}
