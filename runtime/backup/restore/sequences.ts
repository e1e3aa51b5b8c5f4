import { moveSequence, type Numbered, type Session } from "../../db/index.js";

/**
 * Advances the sequences of these tables past the numbers in their rows, because an archive contains no sequences. A
 * sequence belongs to a column, or its default uses it.
 */
export async function moveSequences(
  session: Pick<Session, "query">,
  tables: readonly string[],
): Promise<void> {
  const numbered = await session.query<Numbered>(
    `with found as (
       select objid as sequence, refobjid as relation, refobjsubid as number
       from pg_depend
       where classid = 'pg_class'::regclass and refclassid = 'pg_class'::regclass and deptype in ('a', 'i')
       union
       select used.refobjid, adrelid, adnum
       from pg_attrdef
       join pg_depend as used on used.classid = 'pg_attrdef'::regclass and used.objid = pg_attrdef.oid
         and used.refclassid = 'pg_class'::regclass
     )
     select found.relation::regclass::text as table, quote_ident(attname) as column,
       found.sequence::regclass::text as sequence
     from found
     join pg_class as numbers on numbers.oid = found.sequence and numbers.relkind = 'S'
     join pg_attribute on attrelid = found.relation and attnum = found.number
     where found.relation = any ($1::text[]::regclass[])
       and atttypid in ('smallint'::regtype, 'integer'::regtype, 'bigint'::regtype)
     order by 1, 2, 3`,
    [tables],
  );
  for (const one of numbered) await moveSequence(session, one);
}
