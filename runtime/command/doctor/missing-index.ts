import type { Queryable } from "../../db/index.js";
import { withSchema } from "../../values/sql/table-name.js";

/** A field as a possible part of an index. */
export interface IndexKey {
  readonly name: string;
  readonly column: string;
  readonly descending: boolean;
  readonly canBeEmpty: boolean;
  /** Whether an index can have the field's order; false for an enum, which is sorted by declaration. */
  readonly isIndexable: boolean;
}

/** The conditions of a list or a count, and the sort order of a list. */
export interface SlowQuery {
  /** The descriptor in which an index is declared. */
  readonly source: string;
  /** SQL of the table, and the column of its ids. */
  readonly table: string;
  readonly id: string;
  readonly values: readonly IndexKey[];
  readonly ranges: readonly IndexKey[];
  /** The sort order; null for a count. */
  readonly sort: readonly IndexKey[] | null;
  /** The leading sort key, if it belongs to linked records. */
  readonly linked: LinkedOrder | null;
}

export interface LinkedOrder {
  /** The descriptor of the linked records. */
  readonly source: string;
  /** Each link on the path: its column, and its target table with the column of its ids, as SQL. */
  readonly links: readonly {
    readonly column: string;
    readonly table: string;
    readonly id: string;
  }[];
  readonly keys: readonly IndexKey[];
}

/** An index that a query lacks, and PostgreSQL's estimate of its cost. */
export interface MissingIndex {
  readonly keys: readonly IndexKey[];
  readonly source: string;
  readonly cost: number;
}

/**
 * Finds the index that a query lacks; null if no descriptor can declare one, or PostgreSQL already has a suitable one.
 */
export async function missingIndex(
  connection: Queryable,
  query: SlowQuery,
): Promise<MissingIndex | null> {
  const { source, keys } = query.linked ?? { source: query.source, keys: keysOf(query) };
  if (keys.length === 0 || !keys.every(({ isIndexable }) => isIndexable)) return null;
  await connection.query("set local plan_cache_mode to force_generic_plan");
  await connection.query("set local max_parallel_workers_per_gather to 0");
  await connection.query(`prepare _query as ${statementOf(query)}`);
  const nulls = [...query.values, ...query.ranges].map(() => "null").join(", ");
  const [found] = await connection.query<{ "QUERY PLAN": readonly [{ readonly Plan: Node }] }>(
    `explain (format json) execute _query${nulls === "" ? "" : ` (${nulls})`}`,
  );
  await connection.query("deallocate _query");
  const plan = found?.["QUERY PLAN"][0].Plan;
  if (plan === undefined || !readsMore(plan)) return null;
  return { keys, source, cost: Math.round(plan["Total Cost"]) };
}

interface Node {
  readonly "Node Type": string;
  readonly "Total Cost": number;
  readonly Plans?: readonly Node[];
}

/** Whether the plan reads an entire table, or sorts rows that an index could return in order. */
function readsMore({ Plans = [], ...node }: Node): boolean {
  const type = node["Node Type"];
  return type === "Seq Scan" || type === "Sort" || Plans.some(readsMore);
}

/**
 * Returns the keys of the index: first the fields that must equal one value, then the sort keys, or a range if no index
 * helps to sort.
 */
function keysOf({ values, ranges, sort }: SlowQuery): readonly IndexKey[] {
  const equal = values.map((key) => ({ ...key, descending: false }));
  const isSortable = sort?.length !== 0 && sort?.every(({ isIndexable }) => isIndexable) === true;
  const [range] = ranges.map((key) => ({ ...key, descending: false }));
  const last = isSortable ? sort : range === undefined ? [] : [range];
  return [...equal, ...last].filter(
    ({ column }, at, all) => all.findIndex((one) => one.column === column) === at,
  );
}

function statementOf({ table, id, values, ranges, sort, linked }: SlowQuery): string {
  const own = withSchema(table);
  const conditions = [
    ...values.map(({ column }, at) => `_own.${column} = $${at + 1}`),
    ...ranges.map(({ column }, at) => `_own.${column} >= $${values.length + at + 1}`),
  ];
  const links = linked?.links ?? [];
  const joins = links.map(({ column, table: to, id: target }, at) => {
    const from = at === 0 ? "_own" : `_linked_${at - 1}`;
    return `join ${withSchema(to)} as _linked_${at} on _linked_${at}.${target} = ${from}.${column}`;
  });
  const of = linked === null ? "_own" : `_linked_${links.length - 1}`;
  const keys = linked?.keys ?? sort ?? [];
  if (linked !== null)
    conditions.push(...keys.slice(0, 1).map((key) => `${of}.${key.column} is not null`));
  const from = [`from ${own} as _own`, ...joins].join(" ");
  const where = conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
  if (sort === null) return `select count(*) ${from}${where}`;
  const last = keys.at(-1)?.descending === true && linked === null ? "desc" : "asc";
  const order = [...keys.map((key) => `${of}.${sqlOf(key)}`), `_own.${id} ${last}`].join(", ");
  return `select _own.${id} ${from}${where} order by ${order} limit 25`;
}

function sqlOf({ column, descending, canBeEmpty }: IndexKey): string {
  if (!descending) return column;
  return `${column} desc${canBeEmpty ? " nulls last" : ""}`;
}
