import { disableAccount } from "../../runtime/auth/index.js";
import { type ExitCode, exit } from "../exit.js";
import { sayDone } from "../report.js";
import { type UserOptions, withAccount } from "../user/account.js";

/** Signs every device of an account out and lets nobody sign in to it. */
export async function disableUser(root: string, { email }: UserOptions): Promise<ExitCode> {
  const account = await withAccount(root, email, disableAccount);
  sayDone(`${account.email} is signed out everywhere and cannot sign in`);
  return exit.done;
}
