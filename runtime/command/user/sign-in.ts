import { disableAccount, disableTwoFactor, enableAccount } from "../../auth/index.js";
import { type ExitCode, exit } from "../exit.js";
import { sayDone } from "../report.js";
import { type UserOptions, withAccount } from "./account.js";

/** Signs out every device of an account and refuses sign-ins. */
export async function disableUser(root: string, { email }: UserOptions): Promise<ExitCode> {
  const account = await withAccount(root, email, disableAccount);
  sayDone(`${account.email} is signed out everywhere and cannot sign in`);
  return exit.done;
}

export async function enableUser(root: string, { email }: UserOptions): Promise<ExitCode> {
  const account = await withAccount(root, email, enableAccount);
  sayDone(`${account.email} can sign in`);
  return exit.done;
}

/** Disables an account's second factor, for a user who lost the device. */
export async function disableUserTwoFactor(
  root: string,
  { email }: UserOptions,
): Promise<ExitCode> {
  const account = await withAccount(root, email, disableTwoFactor);
  sayDone(`${account.email} signs in without a second step`);
  return exit.done;
}
