import type { Session } from "../../db/index.js";
import { sqlIdentifier } from "../../values/sql/text.js";
import type { FileRecord, Source } from "./source.js";

/** A table whose rows are the people of accounts. Names are SQL. */
export interface PeopleTable {
  readonly table: string;
  /** The primary key column. */
  readonly key: string;
  /** The column that links to the account. */
  readonly account: string;
}

/** Returns the field of each column that is read, by column name. */
export type WantedColumns = (names: readonly string[]) => ReadonlyMap<string, string>;

/** The number of rows per query. */
const page = 1_000;

/** Reads the rows that have no account, in the order of their keys, as records with cells. */
export async function openPeople(
  session: Session,
  people: PeopleTable,
  wanted: WantedColumns,
): Promise<Source> {
  const types = await typesOf(session, people);
  const fields = wanted([...types.keys()]);
  const cells = [...fields].map(([name, field]) => cellSql(name, { type: types.get(name), field }));
  let read = 0;

  async function* records(): AsyncGenerator<readonly FileRecord[]> {
    let last: string | null = null;
    let row = 0;
    for (;;) {
      const rows: readonly PeopleRow[] = await session.query<PeopleRow>(
        pageSql(people, { cells, isFirst: last === null }),
        [page, ...(last === null ? [] : [last])],
      );
      yield rows.map(({ id, cells: values }): FileRecord => {
        row += 1;
        read += values.reduce((sum, cell) => sum + cell.length, id.length);
        const after = { row, line: 0, offset: read };
        return { row, line: null, id, after, content: { kind: "cells", cells: values } };
      });
      last = rows.at(-1)?.id ?? null;
      if (rows.length < page) return;
    }
  }

  return {
    header: { columns: [...fields.keys()], line: null },
    records: records(),
    readBytes: () => read,
  };
}

interface PeopleRow {
  readonly id: string;
  readonly cells: readonly string[];
}

/** The types of the table's columns, below domains. */
async function typesOf(
  session: Session,
  { table }: PeopleTable,
): Promise<ReadonlyMap<string, string>> {
  const rows = await session.query<{ name: string; type: string }>(
    `select a.attname::text as name,
       format_type(case t.typtype when 'd' then t.typbasetype else t.oid end, null) as type
     from pg_attribute a
     join pg_type t on t.oid = a.atttypid
     where a.attrelid = to_regclass($1) and a.attnum > 0 and not a.attisdropped
     order by a.attnum`,
    [table],
  );
  return new Map(rows.map(({ name, type }) => [name, type]));
}

function pageSql(
  { table, key, account }: PeopleTable,
  { cells, isFirst }: { readonly cells: readonly string[]; readonly isFirst: boolean },
): string {
  // The comparison makes PostgreSQL parse the parameter as the key's type.
  const after = isFirst ? "" : `and ${key} > $2`;
  return `
    select ${key}::text as id, array[${cells.join(", ")}]::text[] as cells
    from ${table}
    where ${account} is null ${after}
    order by ${key}
    limit $1`;
}

const times = new Set(["date", "timestamp without time zone", "timestamp with time zone"]);

/** The column's value as a cell of a CSV file. A time in place of a flag says when the flag became true. */
function cellSql(
  name: string,
  { type = "", field }: { readonly type: string | undefined; readonly field: string },
): string {
  const column = sqlIdentifier(name);
  if (times.has(type) && (field === "emailVerified" || field === "disabled")) {
    return `(${column} is not null)::text`;
  }
  return `coalesce(${textSql(column, type)}, '')`;
}

function textSql(column: string, type: string): string {
  const form = `YYYY-MM-DD"T"HH24:MI:SS.MS`;
  switch (type) {
    case "timestamp with time zone":
      return `to_char(${column} at time zone 'utc', '${form}"Z"')`;
    case "timestamp without time zone":
      return `to_char(${column}, '${form}')`;
    default:
      return `${column}::text`;
  }
}
