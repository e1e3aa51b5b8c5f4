import { text } from "node:stream/consumers";
import { createAccount } from "../../auth/index.js";
import { withAppServices } from "../app/services.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { sayDone, sayJson } from "../report.js";
import { promptPassword } from "./password-prompt.js";
import { warnOfUnknownRole } from "./roles.js";

export interface UserCreateOptions {
  readonly email: string;
  readonly name: string;
  readonly role?: string;
  readonly passwordStdin?: true;
  readonly json?: true;
}

/** Creates an account; refuses if migrations are pending, as the server does. */
export async function createUser(root: string, options: UserCreateOptions): Promise<ExitCode> {
  const account = await withAppServices(root, async (services) => {
    const { email, name, role = null } = options;
    const password = await readPassword(options);
    return createAccount(services, { email, name, role, password });
  });
  if (account.role !== null) warnOfUnknownRole(root, account.role);
  if (options.json) sayJson(account);
  else sayDone(`${account.email} can sign in${account.role === null ? "" : ` as ${account.role}`}`);
  return exit.done;
}

async function readPassword({ passwordStdin }: UserCreateOptions): Promise<string> {
  // Removes only the newline that `echo` adds; everything else is the password.
  if (passwordStdin) return (await text(process.stdin)).replace(/\r?\n$/, "");
  if (process.stdin.isTTY) return promptPassword();
  throw new CommandRefused(
    "Cannot prompt for the password without a terminal",
    "pass it on standard input with --password-stdin",
    exit.wrongUsage,
  );
}
