import { z } from "zod";
import { parseJson } from "../../../values/json.js";
import type { AuthenticationCredential, RegistrationCredential } from "./input.js";
import { type AuthenticatorState, algorithms, isOwnOrigin, type RelyingParty } from "./rules.js";

/** A new passkey, once it is verified. */
export interface VerifiedCredential extends AuthenticatorState {
  readonly credentialId: Buffer;
  /** COSE (RFC 9052). */
  readonly publicKey: Buffer;
  /** The transports by which the browser reaches its authenticator. */
  readonly transports: readonly string[];
}

/** The browser's client data for a ceremony. Only `challenge` is checked to be a string; the rest is unvalidated. */
export type ClientData = z.output<typeof clientDataShape>;

const clientDataShape = z.object({
  challenge: z.string(),
  origin: z.unknown().optional(),
  crossOrigin: z.unknown().optional(),
  topOrigin: z.unknown().optional(),
});

// Maximum length in characters of JSON. An id of at most 1,023 bytes, RSA keys and signatures of 4,096 bits, client
// data and extensions take less than half of it. Longer credentials are refused before they are parsed.
const maxCredentialLength = 16_384;

/** Parses the client data that the authenticator signed; null if no browser could have sent it. */
export function clientDataOf(
  credential: RegistrationCredential | AuthenticationCredential,
): ClientData | null {
  if (JSON.stringify(credential).length > maxCredentialLength) return null;
  const { clientDataJSON } = credential.response;
  const parsed = parseJson(Buffer.from(clientDataJSON, "base64url").toString());
  if (parsed.kind !== "value") return null;
  return clientDataShape.safeParse(parsed.value).data ?? null;
}

/** Verifies a new passkey; null if any check fails. */
export async function verifyRegistration(
  party: RelyingParty,
  credential: RegistrationCredential,
  clientData: ClientData,
): Promise<VerifiedCredential | null> {
  const origin = ownOrigin(party, clientData);
  if (origin === null) return null;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { transports, ...response } = credential.response;

  return nullIfThrown(async () => {
    if (!(await isAnonymous(response.attestationObject))) return null;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response, clientExtensionResults: {} },
      expectedChallenge: clientData.challenge,
      expectedOrigin: origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified || registrationInfo.credential.id !== credential.id) return null;
    const credentialId = Buffer.from(credential.id, "base64url");
    // Longer ids are forbidden (WebAuthn §4, "Credential ID").
    if (credentialId.length > 1023) return null;
    return {
      credentialId,
      publicKey: Buffer.from(registrationInfo.credential.publicKey),
      transports: (transports ?? []).filter((name) => /^[a-z-]{1,32}$/.test(name)).slice(0, 10),
      counter: registrationInfo.credential.counter,
      deviceType: registrationInfo.credentialDeviceType,
      backedUp: registrationInfo.credentialBackedUp,
    };
  });
}

/** An assertion by a passkey, and the public key that verifies it. */
interface Assertion {
  readonly credential: AuthenticationCredential;
  readonly clientData: ClientData;
  /** COSE (RFC 9052). */
  readonly publicKey: Buffer;
}

/** Verifies an assertion and returns the authenticator's state; null if any check fails. */
export async function verifyAuthentication(
  party: RelyingParty,
  { credential, clientData, publicKey }: Assertion,
): Promise<AuthenticatorState | null> {
  const origin = ownOrigin(party, clientData);
  if (origin === null) return null;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { clientDataJSON, authenticatorData, signature } = credential.response;

  return nullIfThrown(async () => {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...credential,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: clientData.challenge,
      expectedOrigin: origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      // The counter is checked separately, so the library must accept any value.
      credential: { id: credential.id, publicKey: new Uint8Array(publicKey), counter: 0 },
    });
    if (!verified) return null;
    return {
      counter: authenticationInfo.newCounter,
      deviceType: authenticationInfo.credentialDeviceType,
      backedUp: authenticationInfo.credentialBackedUp,
    };
  });
}

/**
 * Returns the page's origin; null if it is not the dashboard's, or if another site frames the page, which the library
 * does not check.
 */
function ownOrigin(
  party: RelyingParty,
  { origin, crossOrigin = false, topOrigin }: ClientData,
): string | null {
  if (typeof origin !== "string" || !isOwnOrigin(party, origin)) return null;
  return crossOrigin === false && topOrigin === undefined ? origin : null;
}

/**
 * Whether an attestation is of a requested kind: none, or self attestation, which browsers pass through (WebAuthn
 * §5.1.3). For any other kind the library would parse certificates and fetch revocation lists.
 */
async function isAnonymous(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import("@simplewebauthn/server/helpers");
  const attestation = decodeAttestationObject(
    new Uint8Array(Buffer.from(attestationObject, "base64url")),
  );
  const format = attestation.get("fmt");
  return (
    format === "none" ||
    (format === "packed" && attestation.get("attStmt").get("x5c") === undefined)
  );
}

/** Returns null if the library throws, as it does for every credential that it refuses. */
async function nullIfThrown<T>(verification: () => Promise<T | null>): Promise<T | null> {
  try {
    return await verification();
  } catch {
    return null;
  }
}
