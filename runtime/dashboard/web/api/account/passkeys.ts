import { call } from "../client/client.js";
import type { Passkey, SignedIn } from "../client/types.js";

/** Whether the browser supports passkeys here: they need a secure context and the functions that parse JSON. */
export function canUsePasskeys(): boolean {
  return (
    typeof PublicKeyCredential === "function" &&
    "parseRequestOptionsFromJSON" in PublicKeyCredential &&
    isSecureContext
  );
}

export async function canFillIn(): Promise<boolean> {
  if (!canUsePasskeys()) return false;
  return (await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false;
}

/** The user closed the browser's dialog, or had no passkey to choose. */
export class PasskeyCancelled extends Error {}

/** The device already has a passkey for the account. */
export class PasskeyExists extends Error {}

/** Requests a passkey, in a dialog or by a field's autofill, and signs in with it. */
export async function signInWithPasskey(
  mediation: "optional" | "conditional",
  signal: AbortSignal,
): Promise<SignedIn> {
  const options = await call<PublicKeyCredentialRequestOptionsJSON>(
    "POST",
    "/auth/passkey/options",
    { body: {}, signal },
  );
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await orCancelled(
    navigator.credentials.get({ publicKey, mediation, signal }),
    signal,
  );
  return call<SignedIn>("POST", "/auth/passkey", {
    body: { credential: credential.toJSON() },
    mayBeSignedOut: true,
  });
}

export async function addPasskey(): Promise<Passkey> {
  const options = await call<PublicKeyCredentialCreationOptionsJSON>(
    "POST",
    "/auth/passkeys/options",
    { body: {} },
  );
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const credential = await orCancelled(navigator.credentials.create({ publicKey }));
  return call<Passkey>("POST", "/auth/passkeys", { body: { credential: credential.toJSON() } });
}

async function orCancelled(
  prompt: Promise<Credential | null>,
  signal?: AbortSignal,
): Promise<PublicKeyCredential> {
  try {
    const credential = await prompt;
    if (credential instanceof PublicKeyCredential) return credential;
  } catch (error) {
    if (signal?.aborted === true) throw error;
    if (error instanceof DOMException && error.name === "InvalidStateError")
      throw new PasskeyExists();
    if (!(error instanceof DOMException)) throw error;
  }
  throw new PasskeyCancelled();
}
