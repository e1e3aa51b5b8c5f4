import { v7 } from "uuid";
import { z } from "zod";
import type { Queryable, Transaction } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import { nameShape } from "../account/input.js";
import { type Credentials, lockAccount } from "../account/store.js";
import { recordEvent } from "../event/record.js";
import { accept } from "../input.js";
import { maxDevices } from "../session/devices.js";
import { insertSession } from "../session/insert.js";
import { serviceTokenProof } from "../session/kind.js";
import { newToken } from "../token/token.js";

export interface TokenRequest {
  readonly name: string;
  /** `never`: valid until revoked; null: valid for as long as a sign-in. */
  readonly days: number | "never" | null;
}

/** A service token as its account sees it, with keys in the API's order. The token itself is not stored. */
export interface ShownToken {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** Null if it does not expire. */
  readonly expiresAt: Date | null;
}

export interface ListedToken extends ShownToken {
  readonly email: string;
}

export type AddedToken =
  | { readonly kind: "made"; readonly token: string; readonly shown: ShownToken }
  | { readonly kind: "too-many"; readonly limit: number };

export type MadeToken =
  | { readonly kind: "made"; readonly token: string; readonly listed: ListedToken }
  | { readonly kind: "disabled-account" }
  | Extract<AddedToken, { kind: "too-many" }>;

interface Inside extends Pick<Services, "clock" | "config"> {
  readonly db: Transaction;
}

const tokenShape = z.strictObject({ name: nameShape });

const dayMilliseconds = 86_400_000;

/**
 * Creates a service token: a device of the account that no sign-in ends, and that does not count as a recent sign-in.
 * Null if no account has the normalized address.
 */
export async function createToken(
  services: Pick<Services, "db" | "clock" | "config">,
  { email, days, ...sent }: TokenRequest & { readonly email: string },
): Promise<MadeToken | null> {
  const { name } = accept(tokenShape, { name: sent.name });
  return services.db.transaction(async (db): Promise<MadeToken | null> => {
    const account = await lockAccount(db, { email });
    if (account === null) return null;
    if (account.disabled) return { kind: "disabled-account" };
    const added = await addToken({ ...services, db }, account, { name, days, by: null });
    if (added.kind === "too-many") return added;
    const { token, shown } = added;
    return { kind: "made", token, listed: { ...shown, email } };
  });
}

/**
 * Creates a service token of a locked, enabled account. `by` is the account that requested it; null for the command
 * line.
 */
export async function addToken(
  { db, clock, config }: Inside,
  { id: accountId, generation }: Pick<Credentials, "id" | "generation">,
  { name, days, by }: TokenRequest & { readonly by: string | null },
): Promise<AddedToken> {
  const now = clock.now();
  if ((await countTokens(db, accountId, now)) >= maxDevices) {
    return { kind: "too-many", limit: maxDevices };
  }
  const lifetime = (days === "never" ? null : days) ?? config.auth.tokenLifetimeDays;
  const expiresAt = days === "never" ? null : new Date(now.getTime() + lifetime * dayMilliseconds);
  const { token, hash } = newToken();
  const id = v7({ msecs: now.getTime() });
  const added = {
    id,
    accountId,
    generation,
    tokenHash: hash,
    name,
    browser: null,
    ipAddress: null,
    proofs: [serviceTokenProof],
    now,
    expiresAt: expiresAt ?? "infinity",
  } as const;
  await insertSession(db, added, { kind: "token-created", by });
  return { kind: "made", token, shown: { id, name, createdAt: now, lastUsedAt: now, expiresAt } };
}

async function countTokens(tx: Queryable, accountId: string, now: Date): Promise<number> {
  const [row] = await tx.query<{ tokens: string }>(
    `select count(*) as tokens
     from service.sessions
     where user_id = $1
       and proofs = '{${serviceTokenProof}}'
       and expires_at > $2`,
    [accountId, now],
  );
  return Number(row?.tokens);
}

const shownColumns = `
  s.id, s.name,
  s.created_at as "createdAt",
  s.last_used_at as "lastUsedAt",
  nullif(s.expires_at, 'infinity') as "expiresAt"`;

/** Lists the service tokens that have not expired, by address and age. */
export function listTokens({
  db,
  clock,
}: Pick<Services, "db" | "clock">): Promise<readonly ListedToken[]> {
  return db.query<ListedToken>(
    `select u.email, ${shownColumns}
     from service.sessions s
     join service.users u on u.id = s.user_id
     where s.proofs = '{${serviceTokenProof}}'
       and s.expires_at > $1
     order by u.email, s.created_at, s.id`,
    [clock.now()],
  );
}

/** Lists the service tokens of an account that have not expired, at most 100, oldest first. */
export function listOwnTokens(
  { db, clock }: Pick<Services, "db" | "clock">,
  accountId: string,
): Promise<readonly ShownToken[]> {
  return db.query<ShownToken>(
    `select ${shownColumns}
     from service.sessions s
     where s.user_id = $1
       and s.proofs = '{${serviceTokenProof}}'
       and s.expires_at > $2
     order by s.created_at, s.id`,
    [accountId, clock.now()],
  );
}

/** A service token as operators see it, with keys in the API's order. */
export interface AccountToken extends ShownToken {
  readonly account: { readonly id: string; readonly email: string };
}

/** Maximum number of listed tokens. Enough for all accounts; a longer response would take megabytes. */
const maxListed = 10_000;

/** Lists the service tokens of all accounts that have not expired, newest first, at most 10,000. */
export function listAccountTokens({
  db,
  clock,
}: Pick<Services, "db" | "clock">): Promise<readonly AccountToken[]> {
  return db.read<AccountToken>({
    text: `select ${shownColumns}, json_build_object('id', u.id, 'email', u.email) as account
     from service.sessions s
     join service.users u on u.id = s.user_id
     where s.proofs = '{${serviceTokenProof}}'
       and s.expires_at > $1
     order by s.created_at desc, s.id desc
     limit ${maxListed}`,
    values: [clock.now()],
    cost: "scan",
    isVaried: true,
  });
}

/** Returns the account of a service token; null if the token does not exist or has expired. */
export async function accountOfToken(
  { db, clock }: Pick<Inside, "db" | "clock">,
  id: string,
): Promise<string | null> {
  const [found] = await db.query<{ accountId: string }>(
    `select user_id as "accountId"
     from service.sessions
     where id = $1
       and proofs = '{${serviceTokenProof}}'
       and expires_at > $2`,
    [id, clock.now()],
  );
  return found?.accountId ?? null;
}

/** Revokes a service token for the command line, effective immediately. Returns false if there is none with that id. */
export function revokeToken(
  services: Pick<Services, "db" | "clock">,
  id: string,
): Promise<boolean> {
  return services.db.transaction(async (db) => {
    const inside = { ...services, db };
    const accountId = await accountOfToken(inside, id);
    return accountId !== null && removeToken(inside, { id, accountId, by: null });
  });
}

/** Revokes a service token of an account. Returns false if the account has none with that id. */
export async function removeToken(
  { db, clock }: Pick<Inside, "db" | "clock">,
  {
    id,
    accountId,
    by,
  }: Readonly<Record<"id" | "accountId", string>> & { readonly by: string | null },
): Promise<boolean> {
  const revoked = await db.query(
    `delete from service.sessions
     where id = $1
       and user_id = $2
       and proofs = '{${serviceTokenProof}}'
       and expires_at > $3
     returning id`,
    [id, accountId, clock.now()],
  );
  if (revoked.length === 0) return false;
  await recordEvent({ db, clock }, { kind: "token-revoked", accountId, by });
  return true;
}
