import type { Queryable } from "../../db/index.js";
import { columnList } from "./copied-rows.js";
import { keptTables, ownTables, passingTables } from "./package-tables.js";

export interface ArchivedTable {
  /** `public.products` */
  readonly name: string;
  /** The same name, quoted if SQL requires it. */
  readonly sql: string;
  /** Sorted by name, so that the order does not depend on the database's history. Without generated columns. */
  readonly columns: readonly string[];
  readonly select: string;
}

export interface FoundTables {
  /** Sorted by name, the package's tables first. */
  readonly archived: readonly ArchivedTable[];
  /** Tables that no migration created: `public.extra`. */
  readonly unmanaged: readonly string[];
  /** Quoted names of the tables with short-lived rows. */
  readonly passing: readonly string[];
}

interface Row extends Omit<ArchivedTable, "select"> {
  readonly schema: string;
  readonly table: string;
  readonly isResource: boolean;
  /** Whether the table contains the entries of a list of links or files. */
  readonly isOfEntries: boolean;
  /** Whether triggers maintain the rows. */
  readonly isByTrigger: boolean;
}

/**
 * The tables of other programs that contain the links of lists: `public.film_actor`. The database itself does not
 * distinguish them from tables that no descriptor names.
 */
export type JoinTables = readonly string[];

/** Finds all tables of the database except those of PostgreSQL and extensions. */
export async function findTables(db: Queryable, joins: JoinTables): Promise<FoundTables> {
  const rows = await db.query<Row>(`
    select nspname as schema, relname as "table", nspname || '.' || relname as name,
      format('%I.%I', nspname, relname) as sql,
      array(
        select attname::text
        from pg_attribute
        where attrelid = one.oid and attnum > 0 and not attisdropped and attgenerated = ''
        order by attname::text collate "C"
      ) as columns,
      relkind = 'r' and exists (
        select from service.tallies
        where table_name = case nspname when 'public' then relname else nspname || '.' || relname end
      ) as "isResource",
      nspname = 'public'
        and exists (
          select from pg_trigger
          where tgrelid = one.oid and tgname = 'entries_insert' and not tgisinternal
        ) as "isOfEntries",
      nspname = 'service'
        and (
          exists (select from service.tallies where tally_name = relname)
          or exists (select from service.word_indexes where words_name = relname)
        ) as "isByTrigger"
    from pg_class as one
    join pg_namespace on pg_namespace.oid = relnamespace
    where relkind in ('r', 'p')
      and not relispartition
      and relpersistence <> 't'
      and nspname <> 'information_schema'
      and nspname !~ '^pg_'
      and not exists (
        select
        from pg_depend
        where classid = 'pg_class'::regclass and objid = one.oid and deptype = 'e'
      )
    order by nspname <> 'service', nspname::text collate "C", relname::text collate "C"`);
  const isKept = ({ schema, table }: Pick<Row, "schema" | "table">) =>
    schema === "service" && Object.hasOwn(keptTables, table);
  const isPassing = ({ schema, table }: Row) =>
    schema === "service" && passingTables.includes(table);
  const isOwn = ({ schema, table, isByTrigger }: Row) =>
    isByTrigger || (schema === "service" && ownTables.includes(table));
  const archived = rows.filter(
    (row) => row.isResource || row.isOfEntries || isKept(row) || joins.includes(row.name),
  );
  const passing = rows.filter(isPassing);
  return {
    archived: archived.map(({ name, sql, columns, ...row }) => {
      const { rows, besides } = (isKept(row) && keptTables[row.table]) || {};
      const from = (source: string) => `select ${columnList(columns)} from ${source}`;
      const all =
        besides === undefined
          ? from(sql)
          : `${from(sql)} union all ${from(`(${besides}) as besides`)}`;
      const select = rows === undefined ? all : `select * from (${all}) as one where ${rows}`;
      return { name, sql, columns, select };
    }),
    passing: passing.map(({ sql }) => sql),
    unmanaged: rows
      .filter((row) => !archived.includes(row) && !passing.includes(row) && !isOwn(row))
      .map(({ name }) => name),
  };
}

/** Returns the numbers of rows by table, without tables of entries or links, which are not records. */
export function withoutEntries(
  rows: ReadonlyMap<string, number>,
  joins: JoinTables,
  columnsOf: (table: string) => readonly string[] | undefined,
): ReadonlyMap<string, number> {
  const isOfRecords = (table: string) =>
    !joins.includes(table) && columnsOf(table)?.join() !== "position,record_id,target_id";
  return new Map([...rows].filter(([table]) => isOfRecords(table)));
}

/** The known resources by table, such as `public.order_items`. */
export type ResourceNames = ReadonlyMap<string, string>;

/** Returns `order-items` for `public.order_items`; the table of an earlier model may be unknown. */
export function resourceOf(table: string, names: ResourceNames): string {
  return names.get(table) ?? table.replace(/^public\./, "").replaceAll(/[_.]/g, "-");
}

/**
 * SQL for a counted table with its schema, from the register of tallies. Also works in databases of earlier releases.
 */
export const countedTable = `case strpos(table_name, '.')
  when 0 then format('public.%I', table_name)
  else format('%I.%I', split_part(table_name, '.', 1), split_part(table_name, '.', 2))
end`;
