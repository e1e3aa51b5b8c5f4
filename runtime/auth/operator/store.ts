import type { Queryable } from "../../db/index.js";
import { type Account, type EnrolledFactor, enrolledColumn } from "../account/store.js";

/** An account as the operator sees it. */
export interface ListedAccount extends Account {
  readonly emailVerified: boolean;
  readonly twoFactor: readonly EnrolledFactor[];
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

/** Every account, sorted by address. */
export async function listAccounts(db: Queryable): Promise<readonly ListedAccount[]> {
  return db.query<ListedAccount>(
    `select u.id, u.email, u.name, u.role,
       u.email_verified_at is not null as "emailVerified",
       ${enrolledColumn} as "twoFactor",
       u.disabled_at as "disabledAt",
       u.created_at as "createdAt"
     from service.users u
     left join service.second_steps s on s.user_id = u.id
     order by u.email`,
  );
}

/** Sets or removes the role of the account with a normalised address; null when there is no such account. */
export async function setRole(
  db: Queryable,
  {
    email,
    role,
    now,
  }: { readonly email: string; readonly role: string | null; readonly now: Date },
): Promise<Account | null> {
  const rows = await db.query<Account>(
    `update service.users
     set role = $2, updated_at = $3
     where email = $1
     returning id, name, email, role`,
    [email, role, now],
  );
  return rows[0] ?? null;
}

/** Disables an account; one that is already disabled keeps its date. */
export async function setDisabled(
  tx: Queryable,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  await tx.query(
    `update service.users
     set disabled_at = $2, updated_at = $2
     where id = $1
       and disabled_at is null`,
    [id, now],
  );
}

/** Enables the account with a normalised address again; null when there is no such account. */
export async function setEnabled(
  db: Queryable,
  { email, now }: { readonly email: string; readonly now: Date },
): Promise<Account | null> {
  const rows = await db.query<Account>(
    `update service.users
     set disabled_at = null,
         updated_at = case when disabled_at is null then updated_at else $2 end
     where email = $1
     returning id, name, email, role`,
    [email, now],
  );
  return rows[0] ?? null;
}
