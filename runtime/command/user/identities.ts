import { identitiesOf, type ShownIdentity, unlinkProvider } from "../../auth/index.js";
import { CommandRefused, type ExitCode, exit } from "../exit.js";
import { sayAside, sayDone, sayJson, sayTable, secondOf } from "../report.js";
import { type UserOptions, withAccount } from "./account.js";

export interface UserIdentitiesOptions extends UserOptions {
  readonly json?: true;
}

/** Lists the providers that an account is linked to. */
export async function listUserIdentities(
  root: string,
  { email, json }: UserIdentitiesOptions,
): Promise<ExitCode> {
  const data = await withAccount(root, email, identitiesOf);
  if (json) sayJson({ data });
  else if (data.length === 0) sayAside("It is not linked to any provider");
  else sayTable([heading, ...data.map(rowOf)]);
  return exit.done;
}

export interface UserUnlinkOptions extends UserOptions {
  /** The provider's current or former name in the configuration. */
  readonly provider: string;
}

/** Unlinks an account from a provider; refuses if it is not linked. */
export async function unlinkUser(
  root: string,
  { email, provider }: UserUnlinkOptions,
): Promise<ExitCode> {
  const { account, isUnlinked } = await withAccount(root, email, (services, address) =>
    unlinkProvider(services, { email: address, provider }),
  );
  if (!isUnlinked) {
    throw new CommandRefused(
      `${account.email} is not linked to ${JSON.stringify(provider)}`,
      "npx service user identities shows what it is linked to",
    );
  }
  sayDone(`${account.email} no longer signs in with ${provider}`);
  return exit.done;
}

const heading = ["provider", "address there", "linked (UTC)", "last used (UTC)"];

function rowOf({ provider, email, createdAt, lastUsedAt }: ShownIdentity): readonly string[] {
  return [
    provider,
    email ?? "",
    secondOf(createdAt),
    lastUsedAt === null ? "never" : secondOf(lastUsedAt),
  ];
}
