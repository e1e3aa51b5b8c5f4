import { assignRole } from "../../auth/index.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { sayDone } from "../report.js";
import { type UserOptions, withAccount } from "./account.js";
import { warnOfUnknownRole } from "./roles.js";

export interface UserSetRoleOptions extends UserOptions {
  /** False for `--no-role`. */
  readonly role?: string | false;
}

/** Sets or removes an account's role, effective from the account's next request. */
export async function setUserRole(
  root: string,
  { email, role }: UserSetRoleOptions,
): Promise<ExitCode> {
  if (role === undefined) {
    throw new CommandRefused(
      "There is no role to set",
      "name it with --role, or remove it with --no-role",
      exit.wrongUsage,
    );
  }
  const account = await withAccount(root, email, (services, address) =>
    assignRole(services, { email: address, role: role === false ? null : role }),
  );
  if (account.role !== null) warnOfUnknownRole(root, account.role);
  sayDone(`${account.email} ${account.role === null ? "has no role" : `is ${account.role}`}`);
  return exit.done;
}
