import { disableTwoFactor } from "../../../runtime/auth/index.js";
import { type ExitCode, exit } from "../../exit.js";
import { sayDone } from "../../report.js";
import { type UserOptions, withAccount } from "./account.js";

/** Disables an account's second step, for a user who lost the device. */
export async function disableUserTwoFactor(
  root: string,
  { email }: UserOptions,
): Promise<ExitCode> {
  const account = await withAccount(root, email, disableTwoFactor);
  sayDone(`${account.email} signs in without a second step`);
  return exit.done;
}
