import type { Services } from "../../own-code/index.js";
import { type Account, findCredentials, lockAccount } from "../account/store.js";
import { announce } from "../mailed/notice.js";
import { type ShownIdentity, shown, titleOf } from "./shown.js";
import { deleteIdentity, listIdentities } from "./store.js";

/** Returns the identities of the account with a normalized address; null if there is no such account. */
export async function identitiesOf(
  { db, config }: Pick<Services, "db" | "config">,
  email: string,
): Promise<readonly ShownIdentity[] | null> {
  const account = await findCredentials(db, { email });
  if (account === null) return null;
  return (await listIdentities(db, account.id)).map((one) => shown(config, one));
}

/** The account, and whether it was linked to the provider. */
export interface Unlinked {
  readonly account: Account;
  readonly isUnlinked: boolean;
}

/**
 * Unlinks an account from a provider for the command line, and notifies the owner. Null if there is no such account.
 */
export async function unlinkProvider(
  services: Pick<Services, "db" | "clock" | "config" | "mailer">,
  { email, provider }: { readonly email: string; readonly provider: string },
): Promise<Unlinked | null> {
  return services.db.transaction(async (tx) => {
    const account = await lockAccount(tx, { email });
    if (account === null) return null;
    const all = await listIdentities(tx, account.id);
    const found = all.find((one) => one.provider === provider);
    if (found === undefined) return { account, isUnlinked: false };
    await deleteIdentity(tx, found);
    await announce({ ...services, db: tx }, account, {
      kind: "identity-removed",
      provider: titleOf(services.config, provider),
      by: null,
    });
    return { account, isUnlinked: true };
  });
}
