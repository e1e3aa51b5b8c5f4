import type { Queryable } from "../../db/index.js";

/** A table that may refer to uploads cannot be read, so unused uploads cannot be determined. */
export class UnreadableTable extends Error {
  readonly hint: string;

  constructor(table: string) {
    super(`The role in DATABASE_URL may not read ${table}, which may hold uploads`);
    this.name = "UnreadableTable";
    this.hint = `grant it the right to select from ${table}, or drop that table's foreign key`;
  }
}

/**
 * An SQL condition that is true if anything uses the row of service.uploads with the alias `upload`. A use is a deleted
 * row in the trash, or a row of any table with a foreign key to it (a resource, the accounts, or the operator's).
 *
 * @throws {UnreadableTable} if such a table cannot be read.
 */
export async function findUses(db: Queryable): Promise<string> {
  const links = await db.query<{ table: string; isReadable: boolean; use: string }>(
    `select
       format('%I.%I', namespace.nspname, holder.relname) as table,
       has_schema_privilege(namespace.oid, 'usage')
         and has_column_privilege(holder.oid, held.attnum, 'select') as "isReadable",
       -- A column of another collation than the key's could not be compared, nor its index be used.
       format(
         'exists (select from %I.%I as _use where _use.%I = upload.key collate %I.%I)',
         namespace.nspname, holder.relname, held.attname, home.nspname, sorting.collname
       ) as use
     from pg_constraint as link
     join pg_attribute as key on key.attrelid = link.confrelid and key.attname = 'key'
     join pg_class as holder on holder.oid = link.conrelid
     join pg_namespace as namespace on namespace.oid = holder.relnamespace
     join pg_attribute as held
       on held.attrelid = link.conrelid
       and held.attnum = link.conkey[array_position(link.confkey, key.attnum)]
     join pg_collation as sorting on sorting.oid = held.attcollation
     join pg_namespace as home on home.oid = sorting.collnamespace
     where link.contype = 'f'
       and link.confrelid = 'service.uploads'::regclass
       and link.conrelid <> 'service.stored_objects'::regclass
       -- Partitions repeat the link of their table.
       and link.conparentid = 0
     order by link.oid`,
  );
  const unreadable = links.find(({ isReadable }) => !isReadable);
  if (unreadable !== undefined) throw new UnreadableTable(unreadable.table);
  const inTrash =
    "exists (select from service.trash as _use where _use.files @> array[upload.key])";
  return `(${[...links.map(({ use }) => use), inTrash].join(" or ")})`;
}
