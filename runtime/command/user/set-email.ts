import { setEmail } from "../../auth/index.js";
import { type ExitCode, exit } from "../exit.js";
import { sayDone } from "../report.js";
import { addressOf, type UserOptions, withAccount } from "./account.js";

export interface UserSetEmailOptions extends UserOptions {
  /** The new address, as the user typed it. */
  readonly new: string;
}

/**
 * Changes an account's address, which is unverified until its owner confirms it. Refuses an address that has an
 * account.
 */
export async function setUserEmail(
  root: string,
  { email, new: typed }: UserSetEmailOptions,
): Promise<ExitCode> {
  const to = addressOf(typed);
  const account = await withAccount(root, email, (services, address) =>
    setEmail(services, { email: address, to }),
  );
  sayDone(
    account.email === to
      ? `${to} is already the address of this account`
      : `${account.email} is now ${to}; a mail was sent there to confirm the address`,
  );
  return exit.done;
}
