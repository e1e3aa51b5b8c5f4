import type { Queryable } from "../../db/index.js";
import { fieldKeys, keptId, plainValues, readable, type Table } from "../../resource/index.js";
import { rowOf, withImages } from "../log/images.js";

/** An entry of a record's history, with keys in the API's order. */
export interface Entry {
  readonly id: string;
  readonly at: Date;
  readonly op: "create" | "update" | "delete" | "trash" | "restore";
  readonly by: { readonly id: string; readonly name: string } | null;
  /** The name of the request's service token; omitted if it had none. */
  readonly token?: string;
  /** The name of the job that wrote the change; omitted if no job did. */
  readonly job?: string;
  readonly changes: readonly FieldChange[];
}

export interface FieldChange {
  readonly field: string;
  readonly from: unknown;
  readonly to: unknown;
  /** Set if `from` or `to` is only the beginning of a text. */
  readonly cut?: true;
}

/** The filters for a record's entries, and the role of the reader. */
export interface EntryQuery {
  readonly role: string | null;
  readonly id: string;
  /** Returns only entries before this number. */
  readonly before?: string | null;
  /** Returns only the entry with this number. */
  readonly only?: string;
  readonly limit: number;
}

interface Row extends Omit<Entry, "changes" | "token" | "job"> {
  readonly token: string | null;
  readonly job: string | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** Returns the entries of a record, newest first, with the fields that the role may read. */
export async function readEntries(
  db: Queryable,
  table: Table<never>,
  { role, id, before = null, only, limit }: EntryQuery,
): Promise<readonly Entry[]> {
  const { columns } = readable(table, "get", role);
  const keys = fieldKeys(columns);
  const values: unknown[] = [table.resource, id, table.changes?.history ?? 0, limit];
  const conditions: string[] = [];
  if (before !== null) conditions.push(`and n < $${values.push(before)}::bigint`);
  if (only !== undefined) conditions.push(`and n = $${values.push(only)}::bigint`);
  const record = plainValues(table, keys);
  const valuesOf = (image: string) => {
    const { from, on } = rowOf(table, image);
    return `(select ${on(record)} from ${from} where ${image} is not null)`;
  };
  const rows = await db.query<Row>(
    `select _image.n::text as id, _image.at,
       case _image.op when 'purge' then 'delete' else _image.op end as op,
       case when writer.id is not null
         then json_build_object('id', writer.id, 'name', writer.name)
       end as by,
       _image.token, _image.job,
       ${valuesOf("_image.before")} as "from",
       ${valuesOf("_image.after")} as "to"
     from ${withImages(table, numbersOf(table, conditions.join(" ")))} as _image
     left join service.users as writer on writer.id = _image.account
     order by _image.n desc`,
    values,
  );
  return rows.map(({ from, to, token, job, ...entry }) => ({
    ...entry,
    ...(token !== null && { token }),
    ...(job !== null && { job }),
    changes: changesOf(keys, from, to),
  }));
}

/** SQL for the numbers of a record's entries: `$1` resource, `$2` id, `$3` days of the history, `$4` limit. */
export function numbersOf(table: Table<never>, conditions: string): string {
  return `
    select n
    from service.changes
    where resource = $1
      and id = ${keptId(table, "$2")}
      and at >= now() - make_interval(days => $3::int)
      ${conditions}
    order by n desc
    limit $4`;
}

function changesOf(
  keys: readonly string[],
  from: string | null,
  to: string | null,
): readonly FieldChange[] {
  const [former, latter] = [from, to].map((json) => valuesIn(json));
  return keys.flatMap((field) => {
    const change = { field, from: former?.[field] ?? null, to: latter?.[field] ?? null };
    return JSON.stringify(change.from) === JSON.stringify(change.to) ? [] : [change];
  });
}

function valuesIn(json: string | null): Readonly<Record<string, unknown>> {
  return json === null ? {} : JSON.parse(json);
}

/** Maximum number of characters of a text in a list of entries. */
const maxLength = 1_000;

/** Returns a change with long texts cut, for lists. */
export function cut(change: FieldChange): FieldChange {
  const [from, to] = [start(change.from), start(change.to)];
  const isWhole = from === change.from && to === change.to;
  return isWhole ? change : { ...change, from, to, cut: true };
}

function start(value: unknown): unknown {
  if (typeof value !== "string" || value.length <= maxLength) return value;
  return [...value].slice(0, maxLength).join("");
}
