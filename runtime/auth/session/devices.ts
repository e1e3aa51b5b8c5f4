import type { Queryable } from "../../db/index.js";
import type { NewSession } from "./store.js";

/** Devices that one account may have: more than people have, and few enough to list without pages. */
const maxDevices = 100;

/** Sessions that one sign-in deletes at most, so that none takes long: accounts may have many from before the limit. */
const maxEnded = 10_000;

/** Deletes the sessions of an account beyond the hundred used most recently; never the new one. */
export async function deleteOldestSessions(
  db: Queryable,
  { id, accountId }: Pick<NewSession, "id" | "accountId">,
): Promise<void> {
  await db.query(
    `with oldest as materialized (
       select id
       from service.sessions
       where user_id = $1
       order by id = $2 desc, expires_at > now() desc, last_used_at desc, id desc
       offset $3
       limit $4
     ), locked as (
       select s.id
       from service.sessions s
       join oldest on oldest.id = s.id
       for update of s skip locked
     )
     delete from service.sessions
     where id in (select id from locked)`,
    [accountId, id, maxDevices, maxEnded],
  );
}

/** A signed-in device as its owner sees it, with keys in the API's order. */
export interface ListedSession {
  readonly id: string;
  readonly name: string | null;
  readonly browser: string | null;
  readonly ipAddress: string | null;
  readonly current: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly expiresAt: Date;
}

/** Lists the devices that an account is signed in on, at most 100: the caller's, then the most recently used first. */
export async function listSessions(
  db: Queryable,
  { accountId, sessionId, now }: { accountId: string; sessionId: string; now: Date },
): Promise<readonly ListedSession[]> {
  return db.query<ListedSession>(
    `select id, name, browser,
       ip_address as "ipAddress",
       id = $2 as "current",
       created_at as "createdAt",
       last_used_at as "lastUsedAt",
       expires_at as "expiresAt"
     from service.sessions
     where user_id = $1
       and expires_at > $3
     order by id = $2 desc, last_used_at desc, id
     limit $4`,
    [accountId, sessionId, now, maxDevices],
  );
}
