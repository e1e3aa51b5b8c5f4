import type { Queryable } from "../../db/index.js";
import { maxGuesses } from "../limit/attempt.js";
import { pruneExpired } from "../pruning.js";
import type { MailedPurpose } from "./purposes.js";

interface MailedProof {
  readonly purpose: MailedPurpose;
  readonly email: string;
  readonly codeDigest: Buffer;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/** Replaces the mailed proof of an address and purpose, and occasionally deletes expired ones. */
export async function upsertMailedProof(db: Queryable, proof: MailedProof): Promise<void> {
  await db.query(
    `insert into service.mailed_proofs (purpose, email, code_digest, token_hash, expires_at)
     values ($1, $2, $3, $4, $5)
     on conflict (purpose, email) do update
     set code_digest = excluded.code_digest,
         token_hash = excluded.token_hash,
         tries = 0,
         spent_at = null,
         expires_at = excluded.expires_at`,
    [proof.purpose, proof.email, proof.codeDigest, proof.tokenHash, proof.expiresAt],
  );
  await pruneExpired(db, "service.mailed_proofs");
}

export interface SubmittedCode {
  readonly purpose: MailedPurpose;
  readonly email: string;
  /** The digests that a correct code may be stored as. */
  readonly digests: readonly Buffer[];
  readonly now: Date;
}

/** Counts a wrong guess. Returns false if the code is correct, or if there is no usable code for the address. */
export async function countWrongGuess(
  db: Queryable,
  { purpose, email, digests, now }: SubmittedCode,
): Promise<boolean> {
  // PostgreSQL locks the row before it evaluates the condition: each of several concurrent guesses sees the previous
  // ones.
  const rows = await db.query(
    `update service.mailed_proofs
     set tries = tries + 1
     where purpose = $1
       and email = $2
       and code_digest <> all ($3)
       and expires_at > $4
       and spent_at is null
       and tries < $5
     returning email`,
    [purpose, email, digests, now, maxGuesses],
  );
  return rows.length > 0;
}

/** A code that is neither spent nor expired, compared with a submitted one. */
export interface OpenCode {
  readonly isRight: boolean;
  readonly guesses: number;
  readonly expiresAt: Date;
}

/** Finds the open code of an address and purpose, and compares it with the submitted one. */
export async function findCode(
  db: Queryable,
  { purpose, email, digests, now }: SubmittedCode,
): Promise<OpenCode | null> {
  const rows = await db.query<OpenCode>(
    `select code_digest = any ($3) as "isRight", tries as guesses, expires_at as "expiresAt"
     from service.mailed_proofs
     where purpose = $1
       and email = $2
       and expires_at > $4
       and spent_at is null`,
    [purpose, email, digests, now],
  );
  return rows[0] ?? null;
}

/** Spends a correct code. Returns false if it is wrong, spent, expired, replaced or out of guesses. */
export async function spendCode(
  tx: Queryable,
  { purpose, email, digests, now }: SubmittedCode,
): Promise<boolean> {
  const rows = await tx.query(
    `update service.mailed_proofs
     set spent_at = $4
     where purpose = $1
       and email = $2
       and code_digest = any ($3)
       and expires_at > $4
       and spent_at is null
       and tries < $5
     returning email`,
    [purpose, email, digests, now, maxGuesses],
  );
  return rows.length > 0;
}

export interface SubmittedLink {
  /** The accepted purposes of the link. */
  readonly purposes: readonly MailedPurpose[];
  readonly tokenHash: Buffer;
  readonly now: Date;
}

/** Returns the address that a link was mailed to; null if the link is spent, expired, replaced or unknown. */
export async function findLinkAddress(
  db: Queryable,
  { purposes, tokenHash, now }: SubmittedLink,
): Promise<string | null> {
  const rows = await db.query<{ email: string }>(
    `select email
     from service.mailed_proofs
     where token_hash = $2
       and purpose = any ($1)
       and expires_at > $3
       and spent_at is null`,
    [purposes, tokenHash, now],
  );
  return rows[0]?.email ?? null;
}

/** Spends a link. Returns false if it is spent, expired, replaced or unknown. */
export async function spendLink(
  tx: Queryable,
  { purposes, tokenHash, now }: SubmittedLink,
): Promise<boolean> {
  const rows = await tx.query(
    `update service.mailed_proofs
     set spent_at = $3
     where token_hash = $2
       and purpose = any ($1)
       and expires_at > $3
       and spent_at is null
     returning email`,
    [purposes, tokenHash, now],
  );
  return rows.length > 0;
}

export async function deleteMailedProofs(tx: Queryable, email: string): Promise<void> {
  await tx.query("delete from service.mailed_proofs where email = $1", [email]);
}
