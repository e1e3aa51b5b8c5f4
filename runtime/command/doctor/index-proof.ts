import type { Queryable } from "../../db/index.js";

/** A field as an index may have it. */
export interface IndexKey {
  /** The field's name. */
  readonly name: string;
  /** As SQL. */
  readonly column: string;
  readonly descending: boolean;
  readonly canBeEmpty: boolean;
  /** Whether an index has its order: an enum's is that of its declaration. */
  readonly isIndexable: boolean;
}

/** What a list, or a count, looks for, and what a list sorts by. */
export interface SlowQuery {
  /** The descriptor that an index is declared in. */
  readonly source: string;
  /** As SQL. */
  readonly table: string;
  readonly values: readonly IndexKey[];
  readonly ranges: readonly IndexKey[];
  /** Null for a count. */
  readonly sort: readonly IndexKey[] | null;
  /** What is sorted by first, where that is of linked records. */
  readonly linked: LinkedOrder | null;
}

/** The order of records that links lead to. */
export interface LinkedOrder {
  /** The descriptor of the last ones. */
  readonly source: string;
  /** Each link on the way: its column, and the table that it leads to, as SQL. */
  readonly links: readonly { readonly column: string; readonly table: string }[];
  readonly keys: readonly IndexKey[];
}

/** An index that serves a query, with PostgreSQL's estimates of its cost without and with it. */
export interface IndexProof {
  readonly index: readonly IndexKey[];
  /** The descriptor that it is declared in. */
  readonly source: string;
  readonly before: number;
  readonly after: number;
  readonly rows: number;
}

/** Records that are copied to try an index on. */
const maxSample = 50_000;

/** An index has to halve the cost: it makes every write slower. */
const leastGain = 2;

/**
 * Tries indexes on a temporary copy of some of the table's records, with the indexes that it has: neither the
 * table nor its users are affected. Null where no index that a descriptor can declare is worthwhile.
 */
export async function proveIndex(
  connection: Queryable,
  query: SlowQuery,
): Promise<IndexProof | null> {
  const tried = candidates(query);
  if (tried.length === 0) return null;
  const { table } = query;
  await connection.query("set local plan_cache_mode to force_generic_plan");
  await connection.query("set local max_parallel_workers_per_gather to 0");
  await connection.query(
    `create temporary table _sample (like public.${table} including indexes) on commit drop`,
  );
  await connection.query(`insert into _sample select * from public.${table} limit ${maxSample}`);
  await connection.query("analyze _sample");
  await copyLinked(connection, query.linked);
  const [counted] = await connection.query<{ rows: string }>(
    "select count(*) as rows from _sample",
  );
  await connection.query(`prepare _query as ${statementOf(query)}`);
  const before = await planOf(connection, query);
  let best: IndexProof | null = null;
  for (const index of tried) {
    const linked = index === query.linked?.keys ? query.linked : null;
    const on = linked === null ? "_sample" : linkedTable(linked.links.length - 1);
    await connection.query(`create index _tried on ${on} (${index.map(keySql).join(", ")})`);
    const { cost, text } = await planOf(connection, query);
    await connection.query("drop index _tried");
    const isBetter = cost * leastGain <= before.cost && cost < (best?.after ?? before.cost);
    if (!isBetter || !text.includes('"_tried"')) continue;
    const { source } = linked ?? query;
    best = { index, source, before: before.cost, after: cost, rows: Number(counted?.rows) };
  }
  await connection.query("deallocate _query");
  return best;
}

/** Copies the records that those of the sample link to. */
async function copyLinked(connection: Queryable, linked: LinkedOrder | null): Promise<void> {
  for (const [at, { column, table }] of (linked?.links ?? []).entries()) {
    const from = `public.${table}`;
    const to = linkedTable(at);
    const ids = `select ${column} from ${at === 0 ? "_sample" : linkedTable(at - 1)}`;
    await connection.query(
      `create temporary table ${to} (like ${from} including indexes) on commit drop`,
    );
    await connection.query(`insert into ${to} select * from ${from} where id in (${ids})`);
    await connection.query(`analyze ${to}`);
  }
}

function linkedTable(at: number): string {
  return `_linked_${at}`;
}

/** Fields with one value come first, then what is sorted by; or a range, where nothing helps to sort. */
function candidates(query: SlowQuery): readonly (readonly IndexKey[])[] {
  const { values, ranges, linked } = query;
  const sort = query.sort ?? [];
  const equal = values.map((key) => ({ ...key, descending: false }));
  const isSortable = sort.every(({ isIndexable }) => isIndexable);
  const all = [
    ...(isSortable ? [[...equal, ...sort]] : []),
    ...(isSortable ? [sort] : []),
    ...ranges.map((range) => [...equal, { ...range, descending: false }]),
    equal,
  ];
  const own = all
    .map((keys) =>
      keys.filter(({ column }, at) => keys.findIndex((one) => one.column === column) === at),
    )
    .filter((keys) => keys.length > 0);
  const further = linked?.keys.every(({ isIndexable }) => isIndexable) ? [linked.keys] : [];
  return [...own, ...further];
}

function statementOf({ values, ranges, sort, linked }: SlowQuery): string {
  const own = (column: string) => `_sample.${column}`;
  const conditions = [
    ...values.map(({ column }, at) => `${own(column)} = $${at + 1}`),
    ...ranges.map(({ column }, at) => `${own(column)} >= $${values.length + at + 1}`),
  ];
  if (linked !== null) return linkedStatement(linked, conditions);
  const where = conditions.length === 0 ? "" : `where ${conditions.join(" and ")}`;
  if (sort === null) return `select count(*) from _sample ${where}`;
  const last = sort.at(-1)?.descending === true ? "desc" : "asc";
  const order = [...sort.map(sortSql), `id ${last}`].join(", ");
  return `select id from _sample ${where} order by ${order} limit 25`;
}

/** The first part of such a list: the records with a value. */
function linkedStatement({ links, keys }: LinkedOrder, conditions: readonly string[]): string {
  const joins = links.map(({ column }, at) => {
    const from = at === 0 ? "_sample" : linkedTable(at - 1);
    return `join ${linkedTable(at)} on ${linkedTable(at)}.id = ${from}.${column}`;
  });
  const last = linkedTable(links.length - 1);
  const [first] = keys.map(({ column }) => `${last}.${column} is not null`);
  const order = [...keys.map((key) => `${last}.${keySql(key)}`), "_sample.id"].join(", ");
  const where = [...conditions, first].join(" and ");
  return `select _sample.id from _sample ${joins.join(" ")} where ${where} order by ${order} limit 25`;
}

function sortSql(key: IndexKey): string {
  // In the order of its declaration an enum is sorted by an expression, which no index has.
  return key.isIndexable ? keySql(key) : `(${key.column} || '')`;
}

function keySql({ column, descending, canBeEmpty }: IndexKey): string {
  if (!descending) return column;
  return `${column} desc${canBeEmpty ? " nulls last" : ""}`;
}

async function planOf(connection: Queryable, { values, ranges }: SlowQuery) {
  const nulls = [...values, ...ranges].map(() => "null").join(", ");
  const execute = nulls === "" ? "execute _query" : `execute _query (${nulls})`;
  const rows = await connection.query<{
    "QUERY PLAN": readonly [{ Plan: { "Total Cost": number } }];
  }>(`explain (format json) ${execute}`);
  const plan = rows[0]?.["QUERY PLAN"];
  return { cost: Math.round(plan?.[0].Plan["Total Cost"] ?? 0), text: JSON.stringify(plan) };
}
