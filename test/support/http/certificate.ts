import { KeyObject, webcrypto } from "node:crypto";
// A dependency of @peculiar/x509 needs it, and it must come first.
import "reflect-metadata";
import {
  BasicConstraintsExtension,
  SubjectAlternativeNameExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";

/** A certificate that was signed with its own key. */
export interface SelfSigned {
  readonly privateKey: KeyObject;
  readonly certificate: X509Certificate;
}

/** One of no authority, valid for a century; `name` as in `CN=127.0.0.1`, with the addresses of a server. */
export async function selfSigned(
  name: string,
  addresses: readonly string[] = [],
): Promise<SelfSigned> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name,
    notBefore: new Date("2020-01-01"),
    notAfter: new Date("2120-01-01"),
    keys,
    extensions: [
      new BasicConstraintsExtension(false),
      ...addresses.map((value) => new SubjectAlternativeNameExtension([{ type: "ip", value }])),
    ],
  });
  return { privateKey: KeyObject.from(keys.privateKey), certificate };
}
