import { createHmac } from "node:crypto";

/** The prefix of a secret's text. */
const prefix = "whsec_";

/** The text of a secret, as given to receivers. */
export function secretText(secret: Buffer): string {
  return prefix + secret.toString("base64");
}

/** The content that is signed. */
export interface Signed {
  /** The delivery's id. */
  readonly id: string;
  /** The time of the attempt. */
  readonly at: Date;
  readonly body: string;
}

/** The three headers of Standard Webhooks 1.0, signed with each of the secrets. */
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
