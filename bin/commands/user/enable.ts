import { enableAccount } from "../../../runtime/auth/index.js";
import { type ExitCode, exit } from "../../exit.js";
import { sayDone } from "../../report.js";
import { type UserOptions, withAccount } from "./account.js";

/** Allows sign-in to an account again. */
export async function enableUser(root: string, { email }: UserOptions): Promise<ExitCode> {
  const account = await withAccount(root, email, enableAccount);
  sayDone(`${account.email} can sign in`);
  return exit.done;
}
