import type { Queryable } from "../../db/index.js";
import { type Account, type EnrolledFactor, enrolledColumn } from "../account/store.js";

export interface ListedAccount extends Account {
  readonly emailVerified: boolean;
  readonly twoFactor: readonly EnrolledFactor[];
  readonly disabledAt: Date | null;
  readonly createdAt: Date;
}

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

/** An operator's changes to an account; absent keys stay unchanged. */
export interface NameOrRole {
  readonly name?: string | undefined;
  readonly role?: string | null | undefined;
}

export async function setNameAndRole(
  tx: Queryable,
  { id, name, role, now }: Pick<Account, "id" | "name" | "role"> & { readonly now: Date },
): Promise<void> {
  await tx.query(
    `update service.users
     set name = $2, role = $3, updated_at = $4
     where id = $1`,
    [id, name, role, now],
  );
}

export async function setDisabled(
  tx: Queryable,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  await tx.query(
    `update service.users
     set disabled_at = $2, updated_at = $2
     where id = $1`,
    [id, now],
  );
}

export async function setEnabled(
  tx: Queryable,
  { id, now }: { readonly id: string; readonly now: Date },
): Promise<void> {
  await tx.query(
    `update service.users
     set disabled_at = null, updated_at = $2
     where id = $1`,
    [id, now],
  );
}

/**
 * Deletes every profile picture that the account uploaded; the stored objects then belong to no upload, and are removed
 * later. The account is locked against uploads in progress.
 */
export async function deletePictures(tx: Queryable, id: string): Promise<void> {
  await tx.query("select id from service.users where id = $1 for update", [id]);
  await tx.query("update service.users set avatar = null where id = $1", [id]);
  await tx.query(
    `delete from service.uploads
     where user_id = $1
       and resource = 'users'
       and field = 'avatar'`,
    [id],
  );
}

/** Returns the id of the account with a normalized address; null if there is none. */
export async function findAccountId(db: Queryable, email: string): Promise<string | null> {
  const rows = await db.query<{ id: string }>("select id from service.users where email = $1", [
    email,
  ]);
  return rows[0]?.id ?? null;
}
