import { foreignKeyViolation, type Queryable } from "../../db/index.js";
import type { Account } from "../account/store.js";

/** The API's User object, as its owner sees it, without `image`, which repeats the avatar. */
export interface Profile extends Account {
  readonly emailVerified: boolean;
  readonly twoFactorEnabled: boolean;
  readonly avatar: string | null;
  readonly avatarFile: unknown;
}

/** A change to a profile: absent keys stay unchanged, and null removes the picture. */
export interface ProfileChange {
  readonly name?: string | undefined;
  /** Storage key of the picture. */
  readonly avatar?: string | null | undefined;
}

/** Returns an account as its owner sees it; null if there is none. */
export async function findProfile(db: Queryable, id: string): Promise<Profile | null> {
  const rows = await db.query<Profile>(
    `select u.id, u.name, u.email, u.role,
       u.email_verified_at is not null as "emailVerified",
       s.user_id is not null as "twoFactorEnabled",
       u.avatar,
       f.details as "avatarFile"
     from service.users u
     left join service.second_steps s on s.user_id = u.id
     left join service.uploads f on f.key = u.avatar
     where u.id = $1`,
    [id],
  );
  return rows[0] ?? null;
}

/** An operator who views the app as another account. */
export interface Viewer {
  readonly id: string;
  readonly name: string;
}

export async function findViewer(db: Queryable, id: string): Promise<Viewer | null> {
  const rows = await db.query<Viewer>("select id, name from service.users where id = $1", [id]);
  return rows[0] ?? null;
}

/**
 * Changes an account's profile. Returns false, without a change, if this account did not upload the picture as a
 * profile picture.
 */
export async function updateProfile(
  db: Queryable,
  { id, change, now }: { readonly id: string; readonly change: ProfileChange; readonly now: Date },
): Promise<boolean> {
  const { name = null, avatar } = change;
  const update = db.query(
    `with _used as (
       update service.uploads set unused_since = null where key = $4 and unused_since is not null
     )
     update service.users
     set name = coalesce($2, name),
         avatar = case when $3 then $4 else avatar end,
         updated_at = $5
     where id = $1
       and (
         $4::text is null
         or exists (
           select 1
           from service.uploads
           where key = $4
             and resource = 'users'
             and field = 'avatar'
             and user_id = $1
         )
       )
     returning id`,
    [id, name, avatar !== undefined, avatar ?? null, now],
  );
  return update.then(
    (rows) => rows.length > 0,
    (error: unknown) => {
      // The picture was pruned after the statement began.
      if (foreignKeyViolation(error) !== null) return false;
      throw error;
    },
  );
}
