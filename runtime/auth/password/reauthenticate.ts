import { refuse } from "../../errors/index.js";
import type { Services } from "../../services/index.js";
import type { Credentials } from "../account/store.js";
import { verifyPassword } from "./hash.js";
import { countPasswordTry } from "./limit.js";
import { comparablePassword } from "./rules.js";

/**
 * Checks the password that somebody who is signed in is asked for again; `path` is the key it was sent
 * under. Refuses a wrong one, an account without one, and the eleventh try in a minute, those at signing
 * in included.
 */
export async function checkPasswordAgain(
  services: Services,
  { email, passwordHash }: Credentials,
  { password, path }: { readonly password: string; readonly path: string },
): Promise<void> {
  await countPasswordTry(services, email);
  if (passwordHash === null) refuse("PASSWORD_NOT_SET");
  const comparable = comparablePassword(password);
  const right = comparable !== null && (await verifyPassword(passwordHash, comparable));
  if (!right) refuseWrongPassword(path);
}

/** Refuses the password that was sent under that key. */
export function refuseWrongPassword(path: string): never {
  return refuse("INVALID_PASSWORD", { issues: [{ path, message: "Is wrong" }] });
}
