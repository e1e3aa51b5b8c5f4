import type { Config } from "../../config/index.js";
import type { Account } from "../account/store.js";
import type { Factor } from "./store.js";

/** How long a set-up waits for its first right code (contract §8). */
export const setUpMinutes = 10;

/** Whether the configuration lets this kind be a second step. */
export function isOn({ auth: { twoFactor } }: Pick<Config, "auth">, kind: Factor["kind"]): boolean {
  return kind === "totp" ? twoFactor.authenticator : twoFactor.email;
}

/** Where a code that is mailed for a set-up counts. */
export function setUpPlace({ email }: Account): string {
  return `set-up:${email}`;
}
