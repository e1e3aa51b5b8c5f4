import {
  createHash,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
import { type CBORType, encodeCBOR } from "@levischuck/tiny-cbor";
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from "@simplewebauthn/server";

/** A passkey provider with its browser, honest by default. */
export interface Authenticator {
  /** Makes a credential as `navigator.credentials.create` does. */
  create(
    options: PublicKeyCredentialCreationOptionsJSON,
    knobs?: CreationKnobs,
  ): RegistrationResponseJSON;
  /** Signs with the newest credential as `navigator.credentials.get` does. */
  get(
    options: PublicKeyCredentialRequestOptionsJSON,
    knobs?: AssertionKnobs,
  ): AuthenticationResponseJSON;
}

export type Algorithm = "ES256" | "EdDSA" | "RS256";

export interface AuthenticatorOptions {
  /** Origin of the page. */
  readonly origin: string;
  readonly algorithm?: Algorithm;
  /** Whether credentials are synced to other devices; they are not. */
  readonly synced?: boolean;
  /** Whether signatures are counted; they are. */
  readonly counting?: boolean;
}

/** Deviations of an attacker or a broken device. */
interface Knobs {
  /** Added to the client data; undefined removes a key. */
  readonly clientData?: Readonly<Record<string, unknown>>;
  readonly rpId?: string;
  readonly isUserPresent?: boolean;
  readonly isUserVerified?: boolean;
  readonly isBackupEligible?: boolean;
  readonly isBackedUp?: boolean;
  readonly counter?: number;
}

export interface Attester {
  readonly privateKey: KeyObject;
  /** X.509 in DER. */
  readonly certificate: Uint8Array;
}

export interface CreationKnobs extends Knobs {
  readonly credentialId?: Buffer;
  /** Signer of the attestation: the key itself, or an ES256 key with a certificate. */
  readonly attestedBy?: "itself" | Attester;
  /** The attestation's format and statement; `none` and an empty one. */
  readonly attestation?: { readonly fmt: string; readonly attStmt: Map<string, CBORType> };
  /** Replaces the COSE key. */
  readonly publicKey?: Buffer;
  /** Replaces the authenticator's CBOR. */
  readonly attestationObject?: Buffer;
}

export interface AssertionKnobs extends Knobs {
  /** Bytes; null sends none. */
  readonly userHandle?: Buffer | null;
  readonly credentialId?: Buffer;
  /** Replaces the authenticator data, which is still signed. */
  readonly authenticatorData?: Buffer;
  /** Signs instead of the credential's own key. */
  readonly privateKey?: KeyObject;
}

interface Credential {
  readonly id: Buffer;
  readonly privateKey: KeyObject;
  readonly userHandle: Buffer;
  counter: number;
}

/** A software authenticator behind a browser on that origin. */
export function newAuthenticator({
  origin,
  algorithm = "ES256",
  synced = false,
  counting = true,
}: AuthenticatorOptions): Authenticator {
  let newest: Credential | null = null;
  return { create, get };

  function create(
    options: PublicKeyCredentialCreationOptionsJSON,
    knobs: CreationKnobs = {},
  ): RegistrationResponseJSON {
    const { publicKey, privateKey } = newKeys(algorithm);
    const id = knobs.credentialId ?? randomBytes(32);
    const credential = { id, privateKey, userHandle: bytes(options.user.id), counter: 0 };
    newest = credential;
    const key = knobs.publicKey ?? coseKey(publicKey, algorithm);
    const authData = Buffer.concat([
      head(options.rp.id, credential, knobs, attestedData),
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 255]),
      id,
      key,
    ]);
    const clientData = collect("webauthn.create", options.challenge, knobs);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    const { fmt, attStmt } =
      knobs.attestedBy === undefined
        ? (knobs.attestation ?? { fmt: "none", attStmt: new Map() })
        : { fmt: "packed", attStmt: statement(signed, knobs.attestedBy, privateKey) };
    const attestationObject =
      knobs.attestationObject ??
      cbor(
        new Map<string, CBORType>([
          ["fmt", fmt],
          ["attStmt", attStmt],
          ["authData", new Uint8Array(authData)],
        ]),
      );
    return {
      id: text(id),
      rawId: text(id),
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: {},
      response: {
        clientDataJSON: text(clientData),
        attestationObject: text(attestationObject),
        transports: ["internal"],
      },
    };
  }

  function get(
    options: PublicKeyCredentialRequestOptionsJSON,
    knobs: AssertionKnobs = {},
  ): AuthenticationResponseJSON {
    if (newest === null) throw new Error("There is no credential yet");
    if (counting) newest.counter += 1;
    const id = text(knobs.credentialId ?? newest.id);
    const clientData = collect("webauthn.get", options.challenge, knobs);
    const authData = knobs.authenticatorData ?? head(options.rpId, newest, knobs, 0);
    const signed = Buffer.concat([authData, sha256(clientData)]);
    const userHandle = knobs.userHandle === undefined ? newest.userHandle : knobs.userHandle;
    const privateKey = knobs.privateKey ?? newest.privateKey;
    return {
      id,
      rawId: id,
      type: "public-key",
      authenticatorAttachment: "platform",
      clientExtensionResults: {},
      response: {
        clientDataJSON: text(clientData),
        authenticatorData: text(authData),
        signature: text(sign(hashFor(privateKey), signed, privateKey)),
        ...(userHandle === null ? {} : { userHandle: text(userHandle) }),
      },
    };
  }

  function collect(type: string, challenge: string, knobs: Knobs): Buffer {
    const collected = { type, challenge, origin, crossOrigin: false, ...knobs.clientData };
    return Buffer.from(JSON.stringify(collected));
  }

  /** The first 37 bytes of authenticator data (WebAuthn §6.1). */
  function head(rpId = "", { counter }: Credential, knobs: Knobs, moreFlags: number): Buffer {
    const flags =
      moreFlags |
      (knobs.isUserPresent === false ? 0 : 0x01) |
      (knobs.isUserVerified === false ? 0 : 0x04) |
      ((knobs.isBackupEligible ?? synced) ? 0x08 : 0) |
      ((knobs.isBackedUp ?? synced) ? 0x10 : 0);
    const end = Buffer.alloc(5);
    end.writeUInt8(flags);
    end.writeUInt32BE(knobs.counter ?? counter, 1);
    return Buffer.concat([sha256(Buffer.from(knobs.rpId ?? rpId)), end]);
  }
}

const attestedData = 0x40;

function newKeys(algorithm: Algorithm) {
  switch (algorithm) {
    case "ES256":
      return generateKeyPairSync("ec", { namedCurve: "P-256" });
    case "EdDSA":
      return generateKeyPairSync("ed25519");
    case "RS256":
      return generateKeyPairSync("rsa", { modulusLength: 2048 });
    default:
      return algorithm satisfies never;
  }
}

/** A public key in COSE (RFC 9053 §7, RFC 8230 §4). */
export function coseKey(publicKey: KeyObject, algorithm: Algorithm): Buffer {
  const { x, y, n, e } = publicKey.export({ format: "jwk" });
  switch (algorithm) {
    case "ES256":
      return cbor(keyMap([1, 2], [3, -7], [-1, 1], [-2, x], [-3, y]));
    case "EdDSA":
      return cbor(keyMap([1, 1], [3, -8], [-1, 6], [-2, x]));
    case "RS256":
      return cbor(keyMap([1, 3], [3, -257], [-1, n], [-2, e]));
    default:
      return algorithm satisfies never;
  }
}

/** A statement of the format `packed` (WebAuthn §8.2). */
function statement(
  signed: Buffer,
  by: "itself" | Attester,
  ownKey: KeyObject,
): Map<string, CBORType> {
  const privateKey = by === "itself" ? ownKey : by.privateKey;
  const parts = new Map<string, CBORType>([
    ["alg", -7],
    ["sig", new Uint8Array(sign("sha256", signed, privateKey))],
  ]);
  return by === "itself" ? parts : parts.set("x5c", [by.certificate]);
}

function keyMap(...entries: [number, number | JsonWebKey["x"]][]): Map<number, CBORType> {
  return new Map(
    entries.map(([label, value]) => [
      label,
      typeof value === "number" ? value : new Uint8Array(bytes(value ?? "")),
    ]),
  );
}

export function cbor(value: CBORType): Buffer {
  return Buffer.from(encodeCBOR(value));
}

/** Ed25519 hashes by itself. */
function hashFor({ asymmetricKeyType }: KeyObject): string | null {
  return asymmetricKeyType === "ed25519" ? null : "sha256";
}

function sha256(value: Buffer): Buffer {
  return createHash("sha256").update(value).digest();
}

function text(value: Buffer): string {
  return value.toString("base64url");
}

function bytes(value: string): Buffer {
  return Buffer.from(value, "base64url");
}
