import type { Access, Queryable } from "../../db/index.js";
import type { Log } from "../../own-code/index.js";
import { withoutToken } from "./key.js";

/**
 * The maximum size of an account's stored responses in bytes; beyond it, the oldest lose their bodies. It is 2 MB below
 * the documented 16 MB, because responses are stored between two checks.
 */
const maxStored = 14 * 1024 * 1024;

/**
 * The part of these bytes for outcomes of batches, which outlive the bodies: the ids of five hundred batches of a
 * hundred records. Beyond it, the oldest outcomes are dropped too; without a body and outcomes, a replay is 409.
 */
const maxOutcomes = 2 * 1024 * 1024;

/**
 * The average number of stored bytes after which a write checks its account's total. Checks are random, so that servers
 * need neither communicate nor track accounts. A check takes about 20 ms for 30,000 responses of 500 bytes, spread over
 * 250 writes. The chance of storing 2 MB without a check is one in nine million.
 */
const lookEvery = 128 * 1024;

/** The maximum number of bodies that one check drops: five times as many as are stored before the next check. */
const atOnce = 5_000;

/**
 * Keeps the stored responses of an account below their limit, after a response of `bytes` bytes was stored. The write
 * is committed, so an error is only logged: the next check drops more.
 */
export async function boundAnswers(
  db: Pick<Access, "query">,
  log: Pick<Log, "warn">,
  { accountId, bytes }: { readonly accountId: string; readonly bytes: number },
): Promise<void> {
  if (Math.random() * lookEvery >= bytes) return;
  try {
    const outcomes = await dropOldest(db, accountId, { column: "outcomes", maxBytes: maxOutcomes });
    await dropOldest(db, accountId, { column: "body", maxBytes: maxStored - outcomes });
    if (accountId === withoutToken) await forgetOldest(db);
  } catch (error) {
    log.warn(
      { err: error },
      "stored responses of idempotency keys beyond the limit could not be deleted",
    );
  }
}

/** The maximum number of stored keys of callers without a token. */
const maxWithoutToken = 100_000;

async function forgetOldest({ query }: Queryable): Promise<void> {
  await query(
    `delete from service.kept_answers
     where account_id = $1 and key in (
       select key
       from service.kept_answers
       where account_id = $1
       order by kept_at desc
       offset $2
       limit $3
       for update skip locked
     )`,
    [withoutToken, maxWithoutToken, atOnce],
  );
}

/**
 * Drops an account's oldest bodies or outcomes beyond `maxBytes`; returns the number of bytes still used. Several
 * servers may call it concurrently.
 */
export async function dropOldest(
  { query }: Queryable,
  accountId: string,
  { column, maxBytes }: { readonly column: "body" | "outcomes"; readonly maxBytes: number },
): Promise<number> {
  const [row] = await query<{ bytes: number }>(
    `with stored as materialized (
       select coalesce(sum(octet_length(${column})), 0) as bytes
       from service.kept_answers
       where account_id = $1 and ${column} is not null
     ),
     oldest as materialized (
       select key, kept_at, octet_length(${column}) as bytes
       from service.kept_answers
       where account_id = $1 and ${column} is not null and (select bytes from stored) > $2
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
         and ${column} is not null
         and key = any (
           array(select key from summed where before < (select bytes from stored) - $2)
         )
       for update skip locked
     ),
     dropped as (
       update service.kept_answers
       set ${column} = null
       where account_id = $1 and key = any (array(select key from locked))
     )
     select least(bytes, $2)::integer as bytes from stored`,
    [accountId, maxBytes, atOnce],
  );
  return row?.bytes ?? 0;
}
