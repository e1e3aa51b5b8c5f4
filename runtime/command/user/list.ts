import { type ListedAccount, listAccounts } from "../../auth/index.js";
import { withAppServices } from "../app/services.js";
import { type ExitCode, exit } from "../exit.js";
import { dayOf, sayAside, sayJson, sayTable } from "../report.js";

export interface UserListOptions {
  readonly json?: true;
}

/** Lists all accounts, sorted by address. */
export async function listUsers(root: string, { json }: UserListOptions): Promise<ExitCode> {
  const accounts = await withAppServices(root, ({ db }) => listAccounts(db));
  if (json) sayJson({ accounts });
  else if (accounts.length === 0)
    sayAside("There are no accounts; npx service user create makes one");
  else sayTable([heading, ...accounts.map(rowOf)]);
  return exit.done;
}

const heading = ["email", "name", "role", "verified", "two-factor", "disabled", "created"];

function rowOf(account: ListedAccount): readonly string[] {
  const { email, name, role, emailVerified, twoFactor, disabledAt, createdAt } = account;
  return [
    email,
    name,
    role ?? "-",
    emailVerified ? "yes" : "no",
    twoFactor.length === 0 ? "-" : twoFactor.join(", "),
    disabledAt === null ? "-" : dayOf(disabledAt),
    dayOf(createdAt),
  ];
}
