import { moveSequence, type Numbered, type Session } from "../../db/index.js";

/** Moves the sequences of the app's tables past the numbers that their rows have: an archive has no sequences. */
export async function moveSequences(session: Pick<Session, "query">): Promise<void> {
  const numbered = await session.query<Numbered>(
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
  for (const one of numbered) await moveSequence(session, one);
}
