import type { BrokenLink, Queryable } from "../../../db/index.js";
import { spelledTable, unquotedTable } from "../../../values/sql/table-name.js";
import { idColumn } from "../../table/column-keys.js";
import type { Queries, Table } from "../../table/table.js";

/** The table of a record whose deletion was refused. */
export interface Held extends Pick<Table<never>, "name" | "singular" | "dependants"> {
  /** Left out for the table of accounts. */
  readonly columns?: Table<never>["columns"];
  readonly queries: Pick<Queries, "deleted">;
}

/** The record, and the foreign key that refused its deletion. */
export interface HeldBy {
  readonly id: string;
  readonly link: BrokenLink;
}

/**
 * A message like "12 products and 3 offers still belong to this category", or "2 rows of audits" for an app table.
 * Records that the delete would cascade to are not counted.
 */
export async function inUse(db: Queryable, table: Held, held: HeldBy): Promise<string> {
  const resources = await countDependants(db, table, held.id);
  const isKnown = table.dependants.some(
    (one, at) => unquotedTable(one.table) === tableOf(held.link) && (resources[at]?.count ?? 0) > 0,
  );
  const others = isKnown ? [] : [await countRows(db, table, held)];
  const counted = [...resources, ...others].filter(({ count }) => count > 0);
  const words = counted.map(({ count, singular, plural }) => {
    return `${count} ${count === 1 ? singular : plural}`;
  });
  const verb = counted.length === 1 && counted[0]?.count === 1 ? "belongs" : "belong";
  // The last of these records may have been deleted between the refusal and the count.
  const subject = words.length === 0 ? "Other records" : new Intl.ListFormat("en").format(words);
  const alsoTo =
    table.queries.deleted === undefined ? "" : " or to records that are deleted with it";
  return `${subject} still ${verb} to this ${table.singular}${alsoTo}`;
}

interface Counted {
  readonly count: number;
  readonly singular: string;
  readonly plural: string;
}

/** The table that refers to the record, named as in descriptors. */
export function tableOf({ schema, table }: BrokenLink): string {
  return spelledTable({ schema, name: table });
}

async function countDependants(
  db: Queryable,
  { dependants, queries }: Held,
  id: string,
): Promise<readonly Counted[]> {
  // PostgreSQL rejects a parameter that the statement does not use.
  if (dependants.length === 0) return [];
  const counts = dependants.map(
    ({ table, match }, at) => `(select count(*) from ${table} where ${match}) as n${at}`,
  );
  const text = `${queries.deleted ?? ""} select ${counts.join(", ")}`;
  const [row] = await db.query<Record<string, string>>(text, [id]);
  return dependants.map((one, at) => ({ ...one, count: Number(row?.[`n${at}`] ?? 0) }));
}

/** Counts the rows whose foreign key refers to the record, or to one that is deleted with it. */
async function countRows(db: Queryable, table: Held, { id, link }: HeldBy): Promise<Counted> {
  const words = { singular: `row of ${tableOf(link)}`, plural: `rows of ${tableOf(link)}` };
  const [key] = await db.query<{ from: string; to: string; target: string; match: string }>(
    foreignKeySql,
    [link.schema, link.table, link.constraint],
  );
  const found = key === undefined ? null : deletedIds(table, key);
  if (key === undefined || found === null) return { ...words, count: 0 };
  const [row] = await db.query<{ count: string }>(
    `${table.queries.deleted ?? ""}
    select count(*) from ${key.from} as _from
    where exists (select from ${key.to} as _to where _to.${found.column} in (${found.ids}) and ${key.match})`,
    [id],
  );
  return { ...words, count: Number(row?.count ?? 0) };
}

/**
 * SQL for the ids of the rows that would be deleted from the table that the key refers to; null if the delete does not
 * affect it.
 */
function deletedIds(
  { name, queries, columns }: Held,
  { target }: { target: string },
): { readonly ids: string; readonly column: string } | null {
  if (unquotedTable(name) === target)
    return { ids: "$1", column: columns === undefined ? "id" : idColumn({ columns }) };
  for (const [, part, column = "id", table = ""] of (queries.deleted ?? "").matchAll(
    deletedParts,
  )) {
    if (unquotedTable(table) === target) return { ids: `select id from ${part}`, column };
  }
  return null;
}

/** The parts of `Queries.deleted`: `_offers as (select id from offers`, or `select "OfferId" as id from "Offer"`. */
const deletedParts =
  /(\S+) as (?:materialized )?\(\s*select (?:("(?:[^"]|"")*"|\S+) as )?id from ((?:"(?:[^"]|"")*"|[^\s"])+)/g;

/** The two tables of a foreign key as SQL, the name of the second, and the comparison of their columns. */
const foreignKeySql = `
  select
    conrelid::regclass::text as from,
    confrelid::regclass::text as to,
    coalesce(nullif(relnamespace::regnamespace::text, 'public') || '.', '') || relname as target,
    (
      select string_agg(
        format('_from.%I = _to.%I', own.attname, other.attname)
          || coalesce(' collate ' || nullif(other.attcollation, 0)::regcollation::text, ''),
        ' and '
      )
      from unnest(conkey, confkey) as pair (own_number, other_number)
        join pg_attribute as own on own.attrelid = conrelid and own.attnum = own_number
        join pg_attribute as other on other.attrelid = confrelid and other.attnum = other_number
    ) as match
  from pg_constraint join pg_class on pg_class.oid = confrelid
  where contype = 'f' and conname = $3
    and conrelid = to_regclass(format('%I.%I', $1::text, $2::text))`;
