import type { Config } from "../../config/index.js";
import type { Queryable } from "../../db/index.js";
import type { Credentials } from "./store.js";

/**
 * Whether an account can sign in without the passkey or identity with that id: with a password, by mail, or with
 * another passkey or another identity of a configured provider. The account must be locked.
 */
export async function hasOtherWayIn(
  tx: Queryable,
  { auth }: Pick<Config, "auth">,
  { account, without }: { readonly account: Credentials; readonly without: string },
): Promise<boolean> {
  if (account.passwordHash !== null || auth.magicLink || auth.emailCode) return true;
  const providers = auth.providers.map(({ name }) => name);
  const rows = await tx.query(
    `select id
     from service.passkeys
     where user_id = $1
       and id <> $2
       and $3
     union all
     select id
     from service.identities
     where user_id = $1
       and id <> $2
       and provider = any ($4)
     limit 1`,
    [account.id, without, auth.passkeys, providers],
  );
  return rows.length > 0;
}
