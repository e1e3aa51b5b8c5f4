import type { Database } from "../../db/index.js";

/**
 * Checks all uploads, and records which are in use and since when the others are not. The next run sees changes made
 * meanwhile.
 */
export async function noteUses(
  db: Database,
  {
    uses,
    now,
    signal,
  }: { readonly uses: string; readonly now: Date; readonly signal: AbortSignal },
): Promise<void> {
  for (let after: string | null = ""; after !== null; ) {
    signal.throwIfAborted();
    after = await notePage(db, { uses, now, after });
  }
}

interface Page {
  readonly uses: string;
  readonly now: Date;
  /** The last key of the previous page. */
  readonly after: string;
}

/**
 * Processes one page of uploads and updates only rows whose state changed; resolves with the last key. Locked rows are
 * left to the next run instead of waiting.
 */
async function notePage(db: Database, { uses, now, after }: Page): Promise<string | null> {
  const [page] = await db.query<{ last: string | null }>(
    `with _page as materialized (
       select upload.key, upload.unused_since is null as is_noted, ${uses} as is_used
       from (
         select key, unused_since
         from service.uploads
         where key > $1
         order by key
         limit 1000
       ) as upload
     ),
     _wrong as (
       select upload.key, _page.is_used
       from service.uploads as upload
       join _page on _page.key = upload.key
       where _page.is_noted <> _page.is_used
       for no key update of upload skip locked
     ),
     _noted as (
       update service.uploads as upload
       set unused_since = case when _wrong.is_used then null else greatest($2, now()) end
       from _wrong
       where upload.key = _wrong.key
     )
     select max(key) as last from _page`,
    [after, now],
  );
  return page?.last ?? null;
}
