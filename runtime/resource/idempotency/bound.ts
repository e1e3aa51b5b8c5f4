import type { Access, Queryable } from "../../db/index.js";
import type { Log } from "../../own-code/index.js";

/**
 * Bytes that the bodies of an account's stored answers may take; the oldest beyond them are dropped. Two MB less
 * than the 16 MB that are promised, for what is stored between two looks.
 */
const maxBodies = 14 * 1024 * 1024;

/**
 * After how many stored bytes, on average, a write looks whether its account has too many: chance decides, so that
 * servers need not know of each other, nor remember accounts. A look takes about 20 ms for 30,000 answers of
 * 500 bytes, shared by 250 writes. That two MB are stored without one happens once in nine million times.
 */
const lookEvery = 128 * 1024;

/** The most bodies that one look drops: five times those that are stored until the next. */
const atOnce = 5_000;

/**
 * Keeps the stored bodies of an account below their limit, after one of that size was stored. The write is
 * committed, so an error is only logged: the next look drops more.
 */
export async function boundBodies(
  db: Pick<Access, "query">,
  log: Pick<Log, "warn">,
  { accountId, bytes }: { readonly accountId: string; readonly bytes: number },
): Promise<void> {
  if (Math.random() * lookEvery >= bytes) return;
  try {
    await dropOldBodies(db, accountId, maxBodies);
  } catch (error) {
    log.warn({ err: error }, "old answers of idempotency keys were not dropped");
  }
}

/** Drops the oldest bodies of an account beyond that many bytes. Several servers may do so at once. */
export async function dropOldBodies(
  { query }: Queryable,
  accountId: string,
  maxBytes: number,
): Promise<void> {
  await query(
    `with stored as materialized (
       select sum(octet_length(body)) as bytes
       from service.kept_answers
       where account_id = $1 and body is not null
     ),
     oldest as materialized (
       select key, kept_at, octet_length(body) as bytes
       from service.kept_answers
       where account_id = $1 and body is not null and (select bytes from stored) > $2
       order by kept_at
       limit $3
     ),
     summed as materialized (
       select key, sum(bytes) over (order by kept_at rows unbounded preceding) - bytes as before
       from oldest
     ),
     locked as materialized (
       select key
       from service.kept_answers
       where account_id = $1
         and body is not null
         and key = any (
           array(select key from summed where before < (select bytes from stored) - $2)
         )
       for update skip locked
     )
     update service.kept_answers
     set body = null
     where account_id = $1 and key = any (array(select key from locked))`,
    [accountId, maxBytes, atOnce],
  );
}
