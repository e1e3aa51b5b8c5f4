import { en } from "../../text/en/en.js";
import type { AuthConfig } from "./auth-config.js";

export type AccountPart = keyof typeof en.account.parts;

const parts = Object.keys(en.account.parts) as readonly AccountPart[];

/**
 * Returns the pages of the signed-in account, in order. Features disabled by the server have no page and no routes.
 * Until the settings have loaded, returns all pages except `sign-ins`.
 */
export function accountParts(config: AuthConfig | undefined): readonly AccountPart[] {
  if (config === undefined) return parts.filter((part) => part !== "sign-ins");
  const { passkeys, twoFactor, providers = [] } = config;
  const isOff: Partial<Record<AccountPart, boolean>> = {
    passkeys: !passkeys,
    "sign-ins": providers.length === 0,
    "second-step": !twoFactor.authenticator && !twoFactor.email,
  };
  return parts.filter((part) => isOff[part] !== true);
}
