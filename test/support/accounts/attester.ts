import { selfSigned } from "../http/certificate.js";
import type { Attester } from "./authenticator.js";

/** A maker of authenticators with a certificate as WebAuthn §8.2.1 wants it. */
export async function newAttester(): Promise<Attester> {
  const name = "C=GB, O=Maker, OU=Authenticator Attestation, CN=Maker";
  const { privateKey, certificate } = await selfSigned(name);
  return { privateKey, certificate: new Uint8Array(certificate.rawData) };
}
