import { disableAccount } from "../../../runtime/auth/index.js";
import { type ExitCode, exit } from "../../exit.js";
import { sayDone } from "../../report.js";
import { type UserOptions, withAccount } from "./account.js";

/** Signs out every device of an account and blocks sign-in. */
export async function disableUser(root: string, { email }: UserOptions): Promise<ExitCode> {
  const account = await withAccount(root, email, disableAccount);
  sayDone(`${account.email} is signed out everywhere and cannot sign in`);
  return exit.done;
}
