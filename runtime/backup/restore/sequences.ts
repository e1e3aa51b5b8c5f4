import type { Session } from "../../db/index.js";

interface Numbered {
  readonly table: string;
  readonly column: string;
  readonly sequence: string;
}

/** Moves the sequences of the app's tables past the numbers that their rows have: an archive has no sequences. */
export async function moveSequences({ query }: Pick<Session, "query">): Promise<void> {
  const numbered = await query<Numbered>(
    `select format('%I.%I', nspname, owner.relname) as table, quote_ident(attname) as column,
       format('%I.%I', nspname, numbers.relname) as sequence
     from pg_depend
       join pg_class as numbers on numbers.oid = objid and numbers.relkind = 'S'
       join pg_class as owner on owner.oid = refobjid
       join pg_namespace on pg_namespace.oid = owner.relnamespace and numbers.relnamespace = owner.relnamespace
       join pg_attribute on attrelid = refobjid and attnum = refobjsubid
     where classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass
       and deptype in ('a', 'i') and nspname = 'public'`,
  );
  for (const { table, column, sequence } of numbered) {
    await query(
      `select setval($1::text::regclass, last::text::bigint)
       from (select max(${column}) as last from ${table}) as _rows
       where last::text::bigint > coalesce(pg_sequence_last_value($1::text::regclass), 0)`,
      [sequence],
    );
  }
}
