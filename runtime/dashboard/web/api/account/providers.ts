import { call } from "../client/client.js";
import type { Identity, SignedIn } from "../client/types.js";

const options = { mayBeSignedOut: true };

/** Returns the address of the provider to open; `challenge` is the SHA-256 of a secret. */
export async function addressOfProvider(start: {
  readonly provider: string;
  readonly challenge: string;
  readonly returnTo: string;
}): Promise<string> {
  return (await call<{ url: string }>("POST", "/auth/provider", { body: start, ...options })).url;
}

export function verifyTicket(ticket: string, secret: string): Promise<SignedIn> {
  return call<SignedIn>("POST", "/auth/provider/verify", { body: { ticket, secret }, ...options });
}

export function linkTicket(ticket: string, secret: string): Promise<Identity> {
  return call<Identity>("POST", "/auth/identities", { body: { ticket, secret }, ...options });
}
