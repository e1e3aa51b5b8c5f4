import type { Queryable } from "../../db/index.js";

/** Returns the schema of the extension pg_trgm, quoted; null if it is not installed and searches have no index. */
export async function trigramSchema(db: Queryable): Promise<string | null> {
  const [found] = await db.query<{ schema: string }>(
    `select quote_ident(nspname) as schema
     from pg_extension
     join pg_namespace on pg_namespace.oid = extnamespace
     where extname = 'pg_trgm'`,
  );
  return found?.schema ?? null;
}

/** Makes the operators of pg_trgm usable without a schema name, in whichever schema they are. */
export async function addTrigramsToSearchPath(db: Queryable): Promise<void> {
  await db.query("select set_config('search_path', concat_ws(', ', 'public', $1::text), false)", [
    await trigramSchema(db),
  ]);
}

/**
 * Returns a function that inserts this database's search function into the definition of a search index. Migrations
 * from previous releases contain `service.fold_case`, the only function before the package's migration 0038_fold_text.
 */
export async function searchFunction(db: Queryable): Promise<(definition: string) => string> {
  const [found] = await db.query<{ current: boolean }>(
    "select to_regprocedure('service.fold_text(text)') is not null as current",
  );
  const call = `service.${found?.current ? "fold_text" : "fold_case"}(`;
  return (definition) => definition.replaceAll(/(?<![\w"])service\.fold_(?:case|text)\(/g, call);
}

/** Whether this database has pg_trgm, or this role may create it; `missing` if the server does not provide it. */
export type Trigrams = "installed" | "creatable" | "refused" | "missing";

export async function findTrigrams(db: Queryable): Promise<Trigrams> {
  const [found] = await db.query<{ trigrams: Trigrams }>(
    `select case
       when exists (select from pg_extension where extname = 'pg_trgm') then 'installed'
       when not exists (select from pg_available_extensions where name = 'pg_trgm') then 'missing'
       when (select rolsuper from pg_roles where rolname = current_user) then 'creatable'
       when has_database_privilege(current_database(), 'create') and exists (
         select from pg_available_extension_versions where name = 'pg_trgm' and trusted
       ) then 'creatable'
       else 'refused'
     end as trigrams`,
  );
  if (found === undefined) throw new Error("PostgreSQL reports nothing about its extensions");
  return found.trigrams;
}
