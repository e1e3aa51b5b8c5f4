import type { Config } from "../../config/index.js";
import type { Account } from "../account/store.js";
import type { Factor } from "./store.js";

/** Minutes for which a setup waits for its first correct code. */
export const setUpMinutes = 10;

/** Whether the configuration allows this kind of second step. */
export function isFactorOn(
  { auth: { twoFactor } }: Pick<Config, "auth">,
  kind: Factor["kind"],
): boolean {
  return kind === "totp" ? twoFactor.authenticator : twoFactor.email;
}

export function setUpScope({ email }: Account): string {
  return `set-up:${email}`;
}
