import type { Queryable } from "../../db/index.js";
import { maxGuesses } from "../limit/attempt.js";

/** A confirmed factor; an authenticator's secret is encrypted. */
export type Factor =
  | { readonly kind: "totp"; readonly secret: Buffer; readonly step: number }
  | { readonly kind: "email" };

/** Enables the second step; `backupKey` is encrypted. */
export async function insertSecondStep(
  tx: Queryable,
  accountId: string,
  { factor, backupKey }: { readonly factor: Factor; readonly backupKey: Buffer },
): Promise<void> {
  const totp = factor.kind === "totp" ? factor : null;
  await tx.query(
    `insert into service.second_steps
       (user_id, authenticator_secret, authenticator_step, email, backup_key)
     values ($1, $2, $3, $4, $5)`,
    [accountId, totp?.secret ?? null, totp?.step ?? null, totp === null, backupKey],
  );
}

/**
 * Adds a factor to an enabled second step. An authenticator replaces codes by email; codes by email are added alongside
 * an authenticator.
 */
export async function addFactor(tx: Queryable, accountId: string, factor: Factor): Promise<void> {
  if (factor.kind === "email") {
    await tx.query("update service.second_steps set email = true where user_id = $1", [accountId]);
    return;
  }
  await tx.query(
    `update service.second_steps
     set authenticator_secret = $2, authenticator_step = $3, email = false
     where user_id = $1`,
    [accountId, factor.secret, factor.step],
  );
}

/** The value that verifies a first code: an authenticator's encrypted secret, or the digest of an emailed code. */
export type PendingFactor =
  | { readonly kind: "totp"; readonly secret: Buffer }
  | { readonly kind: "email"; readonly digest: Buffer };

/** A second step that waits for its first correct code. */
export interface SetUp {
  readonly pending: PendingFactor;
  readonly expiresAt: Date;
}

/** Begins a setup, replacing a pending one. */
export async function replaceSetUp(
  tx: Queryable,
  accountId: string,
  { pending: waiting, expiresAt }: SetUp,
): Promise<void> {
  const secret = waiting.kind === "totp" ? waiting.secret : null;
  const digest = waiting.kind === "email" ? waiting.digest : null;
  await tx.query(
    `insert into service.second_step_set_ups
       (user_id, authenticator_secret, email_code_digest, expires_at)
     values ($1, $2, $3, $4)
     on conflict (user_id) do update
     set authenticator_secret = excluded.authenticator_secret,
         email_code_digest = excluded.email_code_digest,
         tries = 0,
         expires_at = excluded.expires_at`,
    [accountId, secret, digest, expiresAt],
  );
}

/** Returns the account's pending setup that has not expired; its guesses may be used up. */
export async function findSetUp(
  tx: Queryable,
  accountId: string,
  now: Date,
): Promise<SetUp | null> {
  const rows = await tx.query<SetUpRow>(
    `select authenticator_secret as secret, email_code_digest as digest, expires_at as "expiresAt"
     from service.second_step_set_ups
     where user_id = $1
       and expires_at > $2`,
    [accountId, now],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const { secret, digest, expiresAt } = row;
  if (secret !== null) return { pending: { kind: "totp", secret }, expiresAt };
  return digest === null ? null : { pending: { kind: "email", digest }, expiresAt };
}

interface SetUpRow extends Omit<SetUp, "waiting"> {
  readonly secret: Buffer | null;
  readonly digest: Buffer | null;
}

/** Uses one of a setup's guesses. Returns false if none is left. */
export async function takeSetUpGuess(tx: Queryable, accountId: string): Promise<boolean> {
  const rows = await tx.query(
    `update service.second_step_set_ups
     set tries = tries + 1
     where user_id = $1
       and tries < $2
     returning user_id`,
    [accountId, maxGuesses],
  );
  return rows.length > 0;
}
