import { KeyObject, webcrypto } from "node:crypto";
// What @peculiar/x509 stands on needs it, and it must come first.
import "reflect-metadata";
import { BasicConstraintsExtension, X509CertificateGenerator } from "@peculiar/x509";
import type { Attester } from "./authenticator.js";

/** A maker of authenticators with a certificate as WebAuthn §8.2.1 wants it. */
export async function newAttester(): Promise<Attester> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: "C=GB, O=Maker, OU=Authenticator Attestation, CN=Maker",
    notBefore: new Date("2020-01-01"),
    notAfter: new Date("2120-01-01"),
    keys,
    extensions: [new BasicConstraintsExtension(false)],
  });
  return {
    privateKey: KeyObject.from(keys.privateKey),
    certificate: new Uint8Array(certificate.rawData),
  };
}
