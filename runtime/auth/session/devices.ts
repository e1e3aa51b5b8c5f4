import type { Config } from "../../config/index.js";
import type { Queryable } from "../../db/index.js";
import type { NewSession } from "./insert.js";
import { isSignIn, kindOf, type SessionKind } from "./kind.js";
import { endAfterUse } from "./last-use/store.js";
import { staleAfter } from "./store.js";

/** Maximum number of devices, and of service tokens, per account; few enough to list without pages. */
export const maxDevices = 100;

/**
 * Maximum number of sessions that one sign-in deletes, so that none takes long: accounts may have many from before the
 * limit.
 */
const maxEnded = 10_000;

/**
 * Deletes the devices of an account beyond the hundred used most recently; never the new device or other kinds of
 * sessions.
 */
export async function deleteOldestSessions(
  db: Queryable,
  { id, accountId }: Pick<NewSession, "id" | "accountId">,
): Promise<void> {
  await db.query(
    `with oldest as materialized (
       select s.id
       from service.sessions s
       where s.user_id = $1
         and ${isSignIn("s")}
       order by s.id = $2 desc, s.expires_at > now() desc, s.last_used_at desc, s.id desc
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
  /** Omitted for a signed-in device and for a service token. */
  readonly kind?: "app" | "view";
  readonly id: string;
  readonly name: string | null;
  readonly browser: string | null;
  readonly ipAddress: string | null;
  readonly current: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** Null for a service token that does not expire. */
  readonly expiresAt: Date | null;
}

/**
 * Lists at most 100 devices on which an account is signed in, its service tokens and its apps: the caller's first, then
 * the most recently used. The caller's session counts as used now; that use is stored after the response.
 */
export async function listSessions(
  { db, config }: { readonly db: Queryable; readonly config: Pick<Config, "auth"> },
  { accountId, sessionId, now }: { accountId: string; sessionId: string; now: Date },
): Promise<readonly ListedSession[]> {
  const used = { session: "s", at: "$3::timestamptz", first: 5 };
  const { sql: end, values } = endAfterUse(config, used);
  const isUsed = `s.id = $2 and s.last_used_at <= $3::timestamptz - ${staleAfter}`;
  const rows = await db.query<Omit<ListedSession, "kind"> & { readonly kind: SessionKind }>(
    `select kind, id, name, browser, "ipAddress", "current", "createdAt", "lastUsedAt", "expiresAt"
     from (
       select id, name, browser, ${kindOf("s")} as kind,
         ip_address as "ipAddress",
         id = $2 as "current",
         created_at as "createdAt",
         case when ${isUsed} then $3 else last_used_at end as "lastUsedAt",
         nullif(case when ${isUsed} then ${end} else expires_at end, 'infinity') as "expiresAt",
         row_number() over (
           partition by ${kindOf("s")}
           order by id = $2 desc, last_used_at desc, id
         ) as place
       from service.sessions s
       where user_id = $1
         and expires_at > $3
     ) session
     where place <= $4
     order by "current" desc, "lastUsedAt" desc, id`,
    [accountId, sessionId, now, maxDevices, ...values],
  );
  return rows.map(({ kind, ...row }) => {
    return kind === "app" || kind === "view" ? { kind, ...row } : row;
  });
}
