import type { Queryable } from "../../db/index.js";
import type { Arrival } from "../identity/arrival.js";
import { maxGuesses } from "../limit/attempt.js";
import { pruneExpired } from "../pruning.js";
import type { FirstProof } from "./assurance.js";

/** Minutes for which a sign-in waits for its second step. */
export const challengeMinutes = 10;

/** A sign-in that waits for its second step, as stored. */
export interface NewChallenge {
  readonly tokenHash: Buffer;
  readonly accountId: string;
  readonly generation: number;
  readonly proof: FirstProof;
  readonly deviceName: string | null;
  /** The changes to the account when the sign-in is completed; null for none. */
  readonly arrival: Arrival | null;
  readonly expiresAt: Date;
}

/** A challenge that has not expired; its guesses may be used up. */
export interface Challenge {
  readonly tokenHash: Buffer;
  readonly accountId: string;
  readonly generation: number;
  readonly proof: FirstProof;
  readonly deviceName: string | null;
  readonly arrival: Arrival | null;
  /** The digest of the code emailed for the challenge; null if no code was emailed. */
  readonly emailCodeDigest: Buffer | null;
  readonly guesses: number;
  readonly expiresAt: Date;
}

/** Adds a challenge, and occasionally deletes expired ones. */
export async function insertChallenge(db: Queryable, challenge: NewChallenge): Promise<void> {
  await db.query(
    `insert into service.challenges
       (token_hash, user_id, generation, proof, device_name, arrival, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      challenge.tokenHash,
      challenge.accountId,
      challenge.generation,
      challenge.proof,
      challenge.deviceName,
      challenge.arrival === null ? null : JSON.stringify(challenge.arrival),
      challenge.expiresAt,
    ],
  );
  await pruneExpired(db, "service.challenges");
}

export async function deleteChallenges(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.challenges where user_id = $1", [accountId]);
}

/** Returns the challenge with that hash; null if it is used, expired or unknown. */
export async function findChallenge(
  db: Queryable,
  { tokenHash, now }: { readonly tokenHash: Buffer; readonly now: Date },
): Promise<Challenge | null> {
  const rows = await db.query<Challenge>(
    `select token_hash as "tokenHash", user_id as "accountId", generation, proof,
       device_name as "deviceName", arrival, email_code_digest as "emailCodeDigest", tries as guesses,
       expires_at as "expiresAt"
     from service.challenges
     where token_hash = $1
       and expires_at > $2`,
    [tokenHash, now],
  );
  return rows[0] ?? null;
}

/** Uses one of a challenge's guesses. Returns false if none is left. */
export async function takeGuess(tx: Queryable, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx.query(
    `update service.challenges
     set tries = tries + 1
     where token_hash = $1
       and tries < $2
     returning token_hash`,
    [tokenHash, maxGuesses],
  );
  return rows.length > 0;
}

/**
 * Stores the code emailed for a challenge; the previous one becomes invalid, whichever of the account's challenges it
 * was for. The account must be locked.
 */
export async function replaceEmailCode(
  tx: Queryable,
  { tokenHash, accountId }: Pick<Challenge, "tokenHash" | "accountId">,
  digest: Buffer,
): Promise<void> {
  await tx.query(
    `update service.challenges
     set email_code_digest = case when token_hash = $2 then $3::bytea end
     where user_id = $1`,
    [accountId, tokenHash, digest],
  );
}

/** Spends a challenge. Returns false if it is already spent. */
export async function spendChallenge(tx: Queryable, tokenHash: Buffer): Promise<boolean> {
  const rows = await tx.query(
    "delete from service.challenges where token_hash = $1 returning token_hash",
    [tokenHash],
  );
  return rows.length > 0;
}
