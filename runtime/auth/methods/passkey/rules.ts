import type { Config } from "../../../config/index.js";

/** How long a browser may take over a ceremony, and its challenge works. */
export const ceremonyMilliseconds = 5 * 60_000;

/** Passkeys of one account. */
export const mostPasskeys = 10;

/** ES256, EdDSA, RS256 (the IANA's COSE algorithms): between them every passkey provider has one. */
export const algorithms = [-7, -8, -257];

/** Who passkeys are made for, in WebAuthn's words: the dashboard, as the configuration says. */
export interface RelyingParty {
  /** A host; passkeys belong to it for ever. */
  readonly id: string;
  readonly name: string;
  readonly origin: string;
  /** Whether pages on other ports of this machine count too. */
  readonly takesLocalhost: boolean;
}

/** The configured dashboard as a relying party. */
export function relyingParty({
  webUrl,
  app,
  environment,
}: Pick<Config, "webUrl" | "app" | "environment">): RelyingParty {
  if (webUrl === null) throw new Error("Passkeys are on without the dashboard's address");
  const { hostname, origin } = new URL(webUrl);
  const takesLocalhost = environment === "development" && hostname === "localhost";
  return { id: hostname, name: app.name, origin, takesLocalhost };
}

/** Whether a page of that origin may use the party's passkeys. */
export function isOwnOrigin({ origin, takesLocalhost }: RelyingParty, other: string): boolean {
  return other === origin || (takesLocalhost && /^http:\/\/localhost(:\d{1,5})?$/.test(other));
}

/** Whether a passkey is bound to its device, or synced to all devices of its owner. */
export type DeviceType = "singleDevice" | "multiDevice";

/** What an authenticator signs about itself beside the challenge. */
export interface AuthenticatorState {
  /** How often it has signed; 0 for ever where it does not count. */
  readonly counter: number;
  readonly deviceType: DeviceType;
  readonly backedUp: boolean;
}

/** What a counter says of a key: `stands-still` is worth a line in the log. */
export type CounterVerdict = "advances" | "stands-still" | "refused";

/**
 * A counter that does not advance speaks of a second copy of the key (WebAuthn §6.1.1). Of a synced
 * one there are copies on purpose, so that only another kind of key is refused.
 */
export function judgeCounter(
  stored: Pick<AuthenticatorState, "counter" | "deviceType">,
  shown: Pick<AuthenticatorState, "counter" | "deviceType">,
): CounterVerdict {
  const counts = stored.counter > 0 || shown.counter > 0;
  if (!counts || shown.counter > stored.counter) return "advances";
  const isSynced = stored.deviceType === "multiDevice" && shown.deviceType === "multiDevice";
  return isSynced ? "stands-still" : "refused";
}

/** The bytes by which a passkey knows whose it is: the account's id. */
export function userHandleOf(accountId: string): Buffer {
  return Buffer.from(accountId.replaceAll("-", ""), "hex");
}
