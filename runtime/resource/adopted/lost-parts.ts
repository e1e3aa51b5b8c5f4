import type { Queryable } from "../../db/index.js";
import type { StartProblem } from "../../errors/index.js";
import { withSchema } from "../../values/sql/table-name.js";
import { idOfTable, isStored, plainName, storedName, unquoted } from "../table/column-keys.js";
import { kindOf } from "../table/kinds/kinds.js";
import type { Column, Table } from "../table/table.js";
import { lostLists } from "./lost-lists.js";
import { isReadable } from "./readable-types.js";

/**
 * Reports what adopted tables no longer have: the tables themselves, a column, the type or the key that the resource
 * needs, and read access for the role.
 */
export async function lostParts(
  { query }: Queryable,
  tables: readonly AdoptedTable[],
): Promise<readonly StartProblem[]> {
  const adopted = tables.filter((table) => table.adopted === true);
  if (adopted.length === 0) return [];
  const found = await query<FoundTable>(foundSql, [
    adopted.map(plainName),
    adopted.map(({ name }) => withSchema(name)),
  ]);
  const byName = new Map(found.map((table) => [table.name, table]));
  const listProblems = await lostLists({ query }, adopted);
  return adopted.flatMap((table) => [
    ...problemsOf(table, byName.get(plainName(table)) ?? null),
    ...listProblems(table),
  ]);
}

export type AdoptedTable = Pick<Table<never>, "adopted" | "resource" | "name" | "columns">;

interface FoundTable {
  readonly name: string;
  readonly isReadable: boolean;
  readonly hasPolicies: boolean;
  /** A view has no index that keeps the values of its key unique. */
  readonly isView: boolean;
  readonly columns: readonly FoundColumn[];
  /** The columns with a unique key. */
  readonly keys: readonly string[];
}

interface FoundColumn {
  readonly name: string;
  /** As in `pg_type.typcategory`. */
  readonly category: string;
  /** The base type of a domain. */
  readonly type: string;
}

const foundSql = `
  select wanted.name, row_security_active(c.oid) as "hasPolicies",
    has_table_privilege(c.oid, 'select') as "isReadable", c.relkind in ('v', 'm') as "isView",
    (
      select json_agg(json_build_object('name', a.attname, 'category', t.typcategory, 'type',
        format_type(case t.typtype when 'd' then t.typbasetype else t.oid end, null)))
      from pg_attribute a join pg_type t on t.oid = a.atttypid
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    ) as columns,
    array(
      select a.attname::text
      from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
      where i.indrelid = c.oid and i.indisunique and i.indisvalid and i.indnkeyatts = 1 and i.indpred is null
    ) as keys
  from unnest($1::text[], $2::text[]) as wanted (name, place)
  join pg_class c on c.oid = to_regclass(wanted.place)`;

function problemsOf(table: AdoptedTable, found: FoundTable | null): readonly StartProblem[] {
  const name = plainName(table);
  const whose = `of "${table.resource}"`;
  if (found === null) {
    const hint = `restore it, or remove resources/${table.resource}.yaml and run npx service generate`;
    return [{ message: `The table ${name} ${whose} is missing`, hint }];
  }
  if (!found.isReadable) {
    const hint = `grant select on ${table.name} to the role in database.url`;
    return [{ message: `The role in database.url may not read the table ${name} ${whose}`, hint }];
  }
  if (found.hasPolicies) {
    const message = `Policies hide rows of the table ${name} ${whose} from the role in database.url`;
    return [{ message, hint: "connect as its owner, or as a role with bypassrls" }];
  }
  const columns = Object.entries<Column>(table.columns).flatMap(([key, column]) =>
    isStored(column) ? columnProblems({ table, key, column }, found) : [],
  );
  return found.isView ? columns : [...columns, ...keyProblems(table, found)];
}

interface Needed {
  readonly table: AdoptedTable;
  readonly key: string;
  readonly column: Column;
}

function columnProblems(
  { table, key, column }: Needed,
  { columns }: FoundTable,
): readonly StartProblem[] {
  const name = unquoted(storedName(column));
  const found = columns.find((one) => one.name === name);
  const remove = `remove "${key}" from resources/${table.resource}.yaml and run npx service generate`;
  if (found === undefined) {
    const message = `The table ${plainName(table)} of "${table.resource}" lacks the column ${name}`;
    return [{ message, hint: `add the column, or ${remove}` }];
  }
  if (canRead(column, found)) return [];
  const message = `"${key}" of "${table.resource}" cannot be read from the column ${name}, which is ${found.type} now`;
  return [{ message, hint: `change its type back, or ${remove}` }];
}

/**
 * Compares types by category, but times exactly: PostgreSQL would convert one into another by the session's time zone.
 */
function canRead(column: Column, { category, type }: FoundColumn): boolean {
  const { sqlType, isLong, isList } = kindOf(column);
  if (isLong) return true;
  if (isList) return category === "A";
  if (sqlType !== "timestamptz") return isReadable(sqlType, { category, type });
  return type === `timestamp ${column.local === undefined ? "with" : "without"} time zone`;
}

function keyProblems(table: AdoptedTable, { columns, keys }: FoundTable): readonly StartProblem[] {
  const name = unquoted(idOfTable(table).name);
  if (keys.includes(name) || columns.every((column) => column.name !== name)) return [];
  const message = `Values of the key ${name} of the table ${plainName(table)} are no longer unique`;
  return [{ message, hint: `create unique index concurrently on ${table.name} (${name})` }];
}
