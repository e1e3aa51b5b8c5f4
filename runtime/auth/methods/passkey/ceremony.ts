import { z } from "zod";
import type { AuthenticationCredential, RegistrationCredential } from "./input.js";
import { type AuthenticatorState, algorithms, isOwnOrigin, type RelyingParty } from "./rules.js";

/** What a new passkey is, once it is verified. */
export interface VerifiedCredential extends AuthenticatorState {
  readonly credentialId: Buffer;
  /** COSE (RFC 9052). */
  readonly publicKey: Buffer;
  /** How its authenticator can be reached, for the browser's use. */
  readonly transports: readonly string[];
}

/** What the browser says of a ceremony; only the challenge is known to be what it should be. */
export type ClientData = z.output<typeof clientDataShape>;

const clientDataShape = z.object({
  challenge: z.string(),
  origin: z.unknown().optional(),
  crossOrigin: z.unknown().optional(),
  topOrigin: z.unknown().optional(),
});

// An id of at most 1 023 bytes, RSA keys and signatures of 4 096 bits, client data and extensions come
// to less than half of it. Longer ones are refused unread.
const longestCredential = 16_384;

/** What the browser signed to; null for what cannot be of any browser. */
export function clientDataOf(
  credential: RegistrationCredential | AuthenticationCredential,
): ClientData | null {
  if (JSON.stringify(credential).length > longestCredential) return null;
  const { clientDataJSON } = credential.response;
  try {
    const result = clientDataShape.safeParse(
      JSON.parse(Buffer.from(clientDataJSON, "base64url").toString()),
    );
    return result.success ? result.data : null;
  } catch {
    return null;
  }
}

/** The new passkey that a browser brings; null where anything is not as it should be. */
export async function verifyRegistration(
  party: RelyingParty,
  credential: RegistrationCredential,
  clientData: ClientData,
): Promise<VerifiedCredential | null> {
  const origin = ownOrigin(party, clientData);
  if (origin === null) return null;
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  const { transports, ...response } = credential.response;

  return unlessItThrows(async () => {
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
    // Longer ones are forbidden (WebAuthn §4, "Credential ID").
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

/** What a browser brings of a passkey, and the key that it is checked with. */
interface ShownCredential {
  readonly credential: AuthenticationCredential;
  readonly clientData: ClientData;
  /** COSE (RFC 9052). */
  readonly publicKey: Buffer;
}

/** What the authenticator of a passkey says of itself; null where anything is not as it should be. */
export async function verifyAuthentication(
  party: RelyingParty,
  { credential, clientData, publicKey }: ShownCredential,
): Promise<AuthenticatorState | null> {
  const origin = ownOrigin(party, clientData);
  if (origin === null) return null;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  const { clientDataJSON, authenticatorData, signature } = credential.response;

  return unlessItThrows(async () => {
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
      // The counter has a rule of its own; none is behind this one.
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

/** The page's origin if it is one of ours and in no frame of another site, which the library lets pass. */
function ownOrigin(
  party: RelyingParty,
  { origin, crossOrigin = false, topOrigin }: ClientData,
): string | null {
  if (typeof origin !== "string" || !isOwnOrigin(party, origin)) return null;
  return crossOrigin === false && topOrigin === undefined ? origin : null;
}

/**
 * Whether an attestation is what was asked for: none, or one that the key made for itself, which browsers
 * leave as it is (WebAuthn §5.1.3). To check any other, the library would read certificates and fetch
 * lists of revoked ones.
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

/** The library throws at whatever it does not like; nothing that it is asked to do here can fail otherwise. */
async function unlessItThrows<T>(verification: () => Promise<T | null>): Promise<T | null> {
  try {
    return await verification();
  } catch {
    return null;
  }
}
