import { refuse } from "../../errors/index.js";
import type { Services } from "../../own-code/index.js";
import type { Credentials } from "../account/store.js";
import { matchPassword } from "./hash.js";
import { countSignIn } from "./limit.js";
import { comparablePassword } from "./rules.js";

/**
 * Checks the password that a signed-in user must repeat; `path` is the body's key for it. Refuses a wrong password, an
 * account without one, and attempts beyond the limit, which also counts sign-ins.
 */
export async function reauthenticate(
  services: Services,
  { email, passwordHash }: Credentials,
  { password, path }: { readonly password: string; readonly path: string },
): Promise<void> {
  await countSignIn(services, email);
  if (passwordHash === null) refuse("PASSWORD_NOT_SET");
  const comparable = comparablePassword(password);
  if (comparable === null) return refuseWrongPassword(path);
  const matching = await matchPassword(passwordHash, { sent: password, comparable });
  if (matching === "none") refuseWrongPassword(path);
}

/** Refuses the password in that key of the body because it is wrong. */
export function refuseWrongPassword(path: string): never {
  return refuse("INVALID_PASSWORD", { issues: [{ path, message: "Is wrong" }] });
}
