import type { Queryable } from "../../db/index.js";
import type { FirstProof } from "./assurance.js";

/** How long a sign-in waits for its second step (specification, "Limits"). */
export const challengeMinutes = 10;

/** A sign-in that waits for its second step. */
export interface NewChallenge {
  readonly tokenHash: Buffer;
  readonly accountId: string;
  readonly generation: number;
  readonly proof: FirstProof;
  readonly deviceName: string | null;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** Adds a challenge and takes up to ten expired ones away, so that they never pile up. */
export async function insertChallenge(db: Queryable, challenge: NewChallenge): Promise<void> {
  await db.query(
    `with expired as (
       select token_hash
       from service.challenges
       where expires_at <= $6
       order by expires_at
       limit 10
       for update skip locked
     ), removed as (
       delete from service.challenges
       where token_hash in (select token_hash from expired)
     )
     insert into service.challenges
       (token_hash, user_id, generation, proof, device_name, expires_at)
     values ($1, $2, $3, $4, $5, $7)`,
    [
      challenge.tokenHash,
      challenge.accountId,
      challenge.generation,
      challenge.proof,
      challenge.deviceName,
      challenge.now,
      challenge.expiresAt,
    ],
  );
}

/** Ends every sign-in of the account that waits for its second step. */
export async function endChallenges(tx: Queryable, accountId: string): Promise<void> {
  await tx.query("delete from service.challenges where user_id = $1", [accountId]);
}
