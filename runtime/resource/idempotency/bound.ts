import type { Access, Queryable } from "../../db/index.js";
import type { Log } from "../../own-code/index.js";
import { withoutToken } from "./key.js";

/**
 * Bytes that an account's stored answers may take; the oldest lose their bodies beyond them. Two MB less than the 16 MB
 * that are promised, for what is stored between two looks.
 */
const maxStored = 14 * 1024 * 1024;

/**
 * Of those, bytes for what outlives the bodies of batches: the ids of five hundred batches of a hundred records. The
 * oldest beyond them are dropped too, and their replay is 409 once the body is gone.
 */
const maxOutcomes = 2 * 1024 * 1024;

/**
 * After how many stored bytes, on average, a write looks whether its account has too many: chance decides, so that
 * servers need not know of each other, nor remember accounts. A look takes about 20 ms for 30,000 answers of
 * 500 bytes, shared by 250 writes. That two MB are stored without one happens once in nine million times.
 */
const lookEvery = 128 * 1024;

/** The most bodies that one look drops: five times those that are stored until the next. */
const atOnce = 5_000;

/**
 * Keeps the stored answers of an account below their limit, after one of that size was stored. The write is
 * committed, so an error is only logged: the next look drops more.
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
    log.warn({ err: error }, "old answers of idempotency keys were not dropped");
  }
}

/** The most keys of callers without a token that are kept. */
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
 * Drops the oldest bodies of an account beyond that many bytes, or what outlives them; returns how many of those bytes are
 * used. Several servers may do so at once.
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
