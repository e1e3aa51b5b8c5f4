import { createHmac } from "node:crypto";

/** The prefix of a secret in text form. */
const prefix = "whsec_";

/** The text form of a secret, as receivers get it. */
export function secretText(secret: Buffer): string {
  return prefix + secret.toString("base64");
}

/** What is signed, besides the body. */
export interface Signed {
  readonly id: string;
  /** The time of the attempt. */
  readonly at: Date;
  readonly body: string;
}

/** The three headers of Standard Webhooks 1.0, with a signature for each secret. */
export function signedHeaders(
  { id, at, body }: Signed,
  secrets: readonly Buffer[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const digest = createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`);
    return `v1,${digest.digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
