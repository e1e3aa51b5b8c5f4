import { v7 } from "uuid";
import { z } from "zod";
import type { Queryable } from "../../db/index.js";
import type { Services } from "../../own-code/index.js";
import { nameShape } from "../account/input.js";
import { lockAccount } from "../account/store.js";
import { recordEvent } from "../event/record.js";
import { accept } from "../input.js";
import { maxDevices } from "../session/devices.js";
import { insertSession, serviceTokenProof } from "../session/store.js";
import { newToken } from "../token/token.js";

/** A service token to be made, for a program. */
export interface TokenRequest {
  /** Normalised; whom it acts as. */
  readonly email: string;
  /** What it is for. */
  readonly name: string;
  /** `never`: it works until it is revoked; null: as long as a sign-in. */
  readonly days: number | "never" | null;
}

/** A service token as it is listed; the token itself is stored nowhere. */
export interface ListedToken {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  /** Null without an end. */
  readonly expiresAt: Date | null;
}

export type MadeToken =
  | { readonly kind: "made"; readonly token: string; readonly listed: ListedToken }
  | { readonly kind: "disabled-account" }
  | { readonly kind: "too-many"; readonly limit: number };

const tokenShape = z.strictObject({ name: nameShape });

const dayMilliseconds = 86_400_000;

/**
 * Makes a service token: a device of the account that no sign-in ends, and that does not count as a recent sign-in.
 * Null when the account does not exist.
 */
export async function createToken(
  { db, clock, config }: Pick<Services, "db" | "clock" | "config">,
  { email, days, ...sent }: TokenRequest,
): Promise<MadeToken | null> {
  const { name } = accept(tokenShape, { name: sent.name });
  const now = clock.now();
  const lifetime = (days === "never" ? null : days) ?? config.auth.tokenLifetimeDays;
  const expiresAt = days === "never" ? null : new Date(now.getTime() + lifetime * dayMilliseconds);
  return db.transaction(async (tx): Promise<MadeToken | null> => {
    const account = await lockAccount(tx, { email });
    if (account === null) return null;
    if (account.disabled) return { kind: "disabled-account" };
    const { id: accountId, generation } = account;
    if ((await countTokens(tx, accountId)) >= maxDevices) {
      return { kind: "too-many", limit: maxDevices };
    }
    const { token, hash } = newToken();
    const id = v7({ msecs: now.getTime() });
    await insertSession(tx, {
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
    });
    await recordEvent({ db: tx, clock }, { kind: "token-created", accountId, by: null });
    const listed = { id, email, name, createdAt: now, lastUsedAt: now, expiresAt };
    return { kind: "made", token, listed };
  });
}

async function countTokens(tx: Queryable, accountId: string): Promise<number> {
  const [row] = await tx.query<{ tokens: string }>(
    `select count(*) as tokens
     from service.sessions
     where user_id = $1
       and proofs = '{${serviceTokenProof}}'
       and expires_at > now()`,
    [accountId],
  );
  return Number(row?.tokens);
}

/** Every service token that has not expired, by address and age. */
export function listTokens({
  db,
  clock,
}: Pick<Services, "db" | "clock">): Promise<readonly ListedToken[]> {
  return db.query<ListedToken>(
    `select s.id, u.email, s.name,
       s.created_at as "createdAt",
       s.last_used_at as "lastUsedAt",
       nullif(s.expires_at, 'infinity') as "expiresAt"
     from service.sessions s
     join service.users u on u.id = s.user_id
     where s.proofs = '{${serviceTokenProof}}'
       and s.expires_at > $1
     order by u.email, s.created_at, s.id`,
    [clock.now()],
  );
}

/** Revokes a service token, effective at once; false when there is none with that id. */
export function revokeToken(
  { db, clock }: Pick<Services, "db" | "clock">,
  id: string,
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const [revoked] = await tx.query<{ accountId: string }>(
      `delete from service.sessions
       where id = $1
         and proofs = '{${serviceTokenProof}}'
         and expires_at > $2
       returning user_id as "accountId"`,
      [id, clock.now()],
    );
    if (revoked === undefined) return false;
    const { accountId } = revoked;
    await recordEvent({ db: tx, clock }, { kind: "token-revoked", accountId, by: null });
    return true;
  });
}
