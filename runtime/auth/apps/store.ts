import type { Queryable } from "../../db/index.js";
import type { Scope } from "../session/delegated/rules.js";
import { appProof } from "../session/kind.js";
import { maxApps } from "./rules.js";

/** The rights granted to an app that has not received its tokens yet. */
export interface PendingGrant {
  readonly accountId: string;
  /** The generation of the account at the time it allowed the app. */
  readonly generation: number;
  readonly clientId: string;
  readonly name: string;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly scope: Scope;
  readonly resource: string;
  /** The identity of the sign-in that allowed the app; removing the identity disconnects the app. */
  readonly identityId: string | null;
  readonly latestEnd: Date | null;
}

export async function insertCode(
  db: Queryable,
  code: Omit<PendingGrant, "identityId" | "latestEnd"> & {
    readonly codeHash: Buffer;
    readonly expiresAt: Date;
    /** The session that allowed the app. */
    readonly sessionId: string;
  },
): Promise<void> {
  await db.query(
    `insert into service.app_codes
       (code_hash, user_id, generation, client_id, name, redirect_uri, challenge, scope, resource,
        identity_id, latest_end, expires_at)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, s.identity_id, s.latest_end, $10
     from service.sessions s
     where s.id = $11`,
    [
      code.codeHash,
      code.accountId,
      code.generation,
      code.clientId,
      code.name,
      code.redirectUri,
      code.challenge,
      code.scope,
      code.resource,
      code.expiresAt,
      code.sessionId,
    ],
  );
}

/** Finds and locks a code; returns null if it has been used or has expired. */
export async function lockCode(
  tx: Queryable,
  codeHash: Buffer,
  now: Date,
): Promise<PendingGrant | null> {
  const rows = await tx.query<PendingGrant>(
    `select user_id as "accountId", generation, client_id as "clientId", name,
       redirect_uri as "redirectUri", challenge, scope, resource, identity_id as "identityId",
       latest_end as "latestEnd"
     from service.app_codes
     where code_hash = $1
       and expires_at > $2
     for update`,
    [codeHash, now],
  );
  return rows[0] ?? null;
}

export async function deleteCode(tx: Queryable, codeHash: Buffer): Promise<void> {
  await tx.query("delete from service.app_codes where code_hash = $1", [codeHash]);
}

export interface Grant {
  readonly id: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly scope: Scope;
  readonly resource: string;
}

export async function insertGrant(
  tx: Queryable,
  grant: Grant &
    Pick<PendingGrant, "identityId" | "latestEnd"> & {
      readonly codeHash: Buffer;
      readonly familyHash: Buffer;
    },
): Promise<void> {
  await tx.query(
    `insert into service.app_grants (id, client_id, scope, resource, code_hash, family_hash)
     values ($1, $2, $3, $4, $5, $6)`,
    [grant.id, grant.clientId, grant.scope, grant.resource, grant.codeHash, grant.familyHash],
  );
  // A sign-out at the provider also disconnects the apps that its sign-ins allowed.
  await tx.query(
    `update service.sessions
     set identity_id = $2, latest_end = $3, expires_at = least(expires_at, $3)
     where id = $1`,
    [grant.id, grant.identityId, grant.latestEnd],
  );
}

/** A column that identifies a grant, and its value. */
type GrantKey =
  | { readonly column: "code_hash" | "family_hash"; readonly value: Buffer }
  | { readonly column: "id"; readonly value: string };

/** Finds a grant that has not expired, and locks it until the transaction ends. */
export async function lockGrant(
  tx: Queryable,
  { column, value }: GrantKey,
  now: Date,
): Promise<Grant | null> {
  const rows = await tx.query<Grant>(
    `select g.id, s.user_id as "accountId", g.client_id as "clientId", g.scope, g.resource
     from service.app_grants g
     join service.sessions s on s.id = g.id
     where g.${column} = $1
       and s.expires_at > $2
     for update of s`,
    [value, now],
  );
  return rows[0] ?? null;
}

/** Disconnects an app: deletes its session, and with it all of its tokens. */
export async function deleteGrant(tx: Queryable, id: string): Promise<void> {
  await tx.query("delete from service.sessions where id = $1", [id]);
}

/** Postpones the expiry of a grant that is in use. */
export async function extendGrant(
  tx: Queryable,
  { id, now, expiresAt }: { readonly id: string; readonly now: Date; readonly expiresAt: Date },
): Promise<void> {
  await tx.query(
    `update service.sessions
     set last_used_at = greatest(last_used_at, $2),
       expires_at = least(greatest(expires_at, $3), latest_end)
     where id = $1`,
    [id, now, expiresAt],
  );
}

/** Disconnects the apps of an account except the hundred most recently used; never the new one. */
export async function deleteOldestGrants(
  tx: Queryable,
  { id, accountId }: Pick<Grant, "id" | "accountId">,
): Promise<void> {
  await tx.query(
    `delete from service.sessions
     where id in (
       select id
       from service.sessions
       where user_id = $1
         and proofs = '{${appProof}}'
       order by id = $2 desc, last_used_at desc, id desc
       offset ${maxApps}
     )`,
    [accountId, id],
  );
}

/** A connected app in responses, with keys in the API's order. */
export interface ShownApp {
  readonly id: string;
  /** The name that the app claims. */
  readonly name: string;
  readonly client: string;
  readonly scope: Scope;
  readonly resource: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
}

/** Returns the apps of an account, the most recently used first. */
export function listApps(
  db: Queryable,
  accountId: string,
  now: Date,
): Promise<readonly ShownApp[]> {
  return db.query<ShownApp>(
    `select s.id, s.name, g.client_id as client, g.scope, g.resource,
       s.created_at as "createdAt", s.last_used_at as "lastUsedAt"
     from service.sessions s
     join service.app_grants g on g.id = s.id
     where s.user_id = $1
       and s.expires_at > $2
     order by s.last_used_at desc, s.id`,
    [accountId, now],
  );
}
