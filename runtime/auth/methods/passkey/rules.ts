import type { Config } from "../../../config/index.js";
import { findSite, type Site } from "../../site.js";

/** Timeout of a ceremony in milliseconds; its challenge is valid for as long. */
export const ceremonyMilliseconds = 5 * 60_000;

/** Maximum number of passkeys per account. */
export const maxPasskeys = 10;

/** ES256, EdDSA, RS256 (IANA's COSE algorithms): every passkey provider supports one of them. */
export const algorithms = [-7, -8, -257];

/** WebAuthn's relying party: a configured site, by default the dashboard. */
export interface RelyingParty {
  /** A host; passkeys are bound to it permanently. */
  readonly id: string;
  readonly name: string;
  readonly origin: string;
  /** Whether pages on other ports of localhost are accepted. */
  readonly allowsLocalhost: boolean;
}

export function relyingParty(
  { app, environment }: Pick<Config, "app" | "environment">,
  { webUrl }: Pick<Site, "webUrl">,
): RelyingParty {
  if (webUrl === null)
    throw new Error("Passkeys are enabled, but the dashboard's address is not set");
  const { hostname, origin } = new URL(webUrl);
  const takesLocalhost = environment === "development" && hostname === "localhost";
  return { id: hostname, name: app.name, origin, allowsLocalhost: takesLocalhost };
}

/** Returns the relying party for a challenge's site; null if the site is null or no longer configured. */
export function findParty(
  config: Pick<Config, "webUrl" | "auth" | "app" | "environment">,
  name: string | null,
): RelyingParty | null {
  const site = name === null ? null : findSite(config, name);
  return site && relyingParty(config, site);
}

/**
 * Whether the relying party may use a passkey; true for passkeys stored without a host, whose authenticator checks it.
 */
export function isBoundTo(
  { id }: Pick<RelyingParty, "id">,
  { rpId }: { readonly rpId: string | null },
): boolean {
  return rpId === null || rpId === id;
}

/** Whether a page of that origin may use the relying party's passkeys. */
export function isOwnOrigin(
  { origin, allowsLocalhost: takesLocalhost }: RelyingParty,
  other: string,
): boolean {
  return other === origin || (takesLocalhost && /^http:\/\/localhost(:\d{1,5})?$/.test(other));
}

/** Whether a passkey is bound to its device, or synced to all devices of its owner. */
export type DeviceType = "singleDevice" | "multiDevice";

export interface AuthenticatorState {
  /** The signature counter; always 0 if the authenticator does not count. */
  readonly counter: number;
  readonly deviceType: DeviceType;
  readonly backedUp: boolean;
}

/** The verdict on a signature counter; `stands-still` (a counter that did not advance) is accepted and logged. */
export type CounterVerdict = "advances" | "stands-still" | "refused";

/**
 * A counter that does not advance indicates a copy of the key (WebAuthn §6.1.1). Synced keys are copied on
 * purpose, so only single-device keys are refused.
 */
export function checkCounter(
  stored: Pick<AuthenticatorState, "counter" | "deviceType">,
  shown: Pick<AuthenticatorState, "counter" | "deviceType">,
): CounterVerdict {
  const counts = stored.counter > 0 || shown.counter > 0;
  if (!counts || shown.counter > stored.counter) return "advances";
  const isSynced = stored.deviceType === "multiDevice" && shown.deviceType === "multiDevice";
  return isSynced ? "stands-still" : "refused";
}

/** The user handle stored in a passkey: the account's id as bytes. */
export function userHandleOf(accountId: string): Buffer {
  return Buffer.from(accountId.replaceAll("-", ""), "hex");
}
