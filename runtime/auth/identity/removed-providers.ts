import type { Config } from "../../config/index.js";
import type { Queryable } from "../../db/index.js";

/** Accounts that can only sign in with a provider that is no longer configured. */
export interface RemovedProvider {
  readonly provider: string;
  readonly count: number;
  /** Some addresses of these accounts, sorted. */
  readonly emails: readonly string[];
}

/** Maximum number of addresses to list per provider. */
const maxNamed = 10;

/** Finds accounts that can use removed providers only: no password, no usable passkey, no other provider. */
export async function findRemovedProviders(
  db: Queryable,
  { auth }: Pick<Config, "auth">,
): Promise<readonly RemovedProvider[]> {
  return db.query<RemovedProvider>(
    `select i.provider, count(*)::int as count,
       (array_agg(u.email order by u.email))[:$3::int] as emails
     from service.identities i
     join service.users u on u.id = i.user_id
     where i.provider <> all ($1)
       and u.disabled_at is null
       and u.password_hash is null
       and not exists (
         select from service.identities o
         where o.user_id = u.id and o.provider = any ($1)
       )
       and not ($2 and exists (select from service.passkeys p where p.user_id = u.id))
     group by i.provider
     order by i.provider`,
    [auth.providers.map(({ name }) => name), auth.passkeys, maxNamed],
  );
}
