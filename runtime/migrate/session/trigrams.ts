import type { Queryable } from "../../db/index.js";

/** The schema of the extension pg_trgm, quoted; null where it is not installed and searches have no index. */
export async function trigramSchema(db: Queryable): Promise<string | null> {
  const [found] = await db.query<{ schema: string }>(
    `select quote_ident(nspname) as schema
     from pg_extension
     join pg_namespace on pg_namespace.oid = extnamespace
     where extname = 'pg_trgm'`,
  );
  return found?.schema ?? null;
}

/** Lets statements use the operators of pg_trgm without a schema, whichever schema it is in. */
export async function addTrigramsToSearchPath(db: Queryable): Promise<void> {
  await db.query("select set_config('search_path', concat_ws(', ', 'public', $1::text), false)", [
    await trigramSchema(db),
  ]);
}
