import type { Queryable } from "../../db/index.js";
import type { StartProblem } from "../../errors/index.js";
import { idForms } from "../../values/schema/id-types.js";
import {
  placeOfTable,
  spelledTable,
  unquotedTable,
  withSchema,
} from "../../values/sql/table-name.js";
import { idFormOf, unquoted } from "../table/column-keys.js";
import { kindOf } from "../table/kinds/kinds.js";
import type { EntryColumns } from "../table/rule.js";
import type { Column, Table } from "../table/table.js";
import { type FoundType, isReadable } from "./readable-types.js";

type Listing = Pick<Table<never>, "resource" | "columns">;

/** A list whose links are in a table of another application. */
interface List {
  readonly key: string;
  readonly column: Column;
  /** The table as SQL, with its schema. */
  readonly name: string;
  readonly columns: EntryColumns;
}

interface FoundTable {
  readonly name: string;
  readonly isReadable: boolean;
  readonly columns: Readonly<Record<string, FoundType>>;
  /** Pairs of columns with a unique key, in the order of the column numbers. */
  readonly pairs: readonly (readonly string[])[];
}

/**
 * Checks the tables with the links of lists for parts that no longer exist. Returns a function that returns the
 * problems of a resource.
 */
export async function lostLists(
  { query }: Queryable,
  tables: readonly Listing[],
): Promise<(table: Listing) => readonly StartProblem[]> {
  const names = [...new Set(tables.flatMap(listsOf).map(({ name }) => name))];
  const found = names.length === 0 ? [] : await query<FoundTable>(foundSql, [names]);
  const byName = new Map(found.map((table) => [table.name, table]));
  return (table) =>
    listsOf(table).flatMap((list) => problemsOf(table, list, byName.get(list.name) ?? null));
}

function listsOf({ columns }: Listing): readonly List[] {
  return Object.entries<Column>(columns).flatMap(([key, column]) => {
    const { through, entries } = column;
    if (through !== true || entries?.columns === undefined) return [];
    return [{ key, column, name: withSchema(entries.table), columns: entries.columns }];
  });
}

const foundSql = `
  select name, has_table_privilege(c.oid, 'select') as "isReadable",
    (
      select json_object_agg(a.attname, json_build_object('category', t.typcategory, 'type',
        format_type(case t.typtype when 'd' then t.typbasetype else t.oid end, null)))
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) as columns,
    array(
      select to_json(array(
        select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum = any(i.indkey::int2[]) order by a.attnum
      ))
      from pg_index i
      where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indnkeyatts = 2
        and i.indnatts = 2 and i.indpred is null and i.indexprs is null
    ) as pairs
  from unnest($1::text[]) as wanted (name) join pg_class c on c.oid = to_regclass(name)`;

function problemsOf(table: Listing, list: List, found: FoundTable | null): readonly StartProblem[] {
  const { resource } = table;
  const { key, name } = list;
  const which = `table ${spelledTable(placeOfTable(unquotedTable(name)))} of "${key}" in "${resource}"`;
  const remove = `remove "${key}" from resources/${resource}.yaml and run npx service generate`;
  if (found === null) {
    return [{ message: `The ${which} is missing`, hint: `restore it, or ${remove}` }];
  }
  if (!found.isReadable) {
    const hint = `grant select on ${name} to the role in database.url`;
    return [{ message: `The role in database.url may not read the ${which}`, hint }];
  }
  const lost = wantedTypes(table, list).flatMap(([column, sqlType]): readonly StartProblem[] => {
    const type = found.columns[column];
    if (type === undefined) {
      const message = `The ${which} lacks the column ${column}`;
      return [{ message, hint: `add the column, or ${remove}` }];
    }
    if (isReadable(sqlType, type)) return [];
    const message = `The column ${column} of the ${which} is now ${type.type}, which cannot store these ids`;
    return [{ message, hint: `change its type back, or ${remove}` }];
  });
  return lost.length > 0 ? lost : repeatedLinks(list, { found, which });
}

/** The columns of the ids, with the types that they need. */
function wantedTypes(
  { columns: all }: Listing,
  { column, columns: { record, target } }: List,
): readonly (readonly [string, string])[] {
  return [
    [unquoted(record), idFormOf({ columns: all }).sqlType],
    [unquoted(target), idForms[kindOf(column).idType ?? "uuid"].sqlType],
  ];
}

/** Reports a missing unique key: a list that the API writes has each link only once. */
function repeatedLinks(
  { column, name, columns: { record, target } }: List,
  { found, which }: { readonly found: FoundTable; readonly which: string },
): readonly StartProblem[] {
  const wanted = [record, target].map(unquoted);
  const isKept = found.pairs.some((pair) => wanted.every((one) => pair.includes(one)));
  if (column.readOnly === true || isKept) return [];
  const message = `Links in the ${which} are no longer unique`;
  return [{ message, hint: `create unique index concurrently on ${name} (${record}, ${target})` }];
}
