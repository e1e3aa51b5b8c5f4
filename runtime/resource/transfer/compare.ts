import type { Queryable } from "../../db/index.js";
import type { BodyIssue } from "../../errors/index.js";
import { isUuid } from "../../values/uuid.js";
import type { ResourceDefinition } from "../table/definition.js";
import { kindOf } from "../table/kinds/kinds.js";
import { columnOf, type Table } from "../table/table.js";

type Values = Readonly<Record<string, unknown>>;

/** Those of the values that the record with that id has not yet; values are as a write stores them. */
export async function differingValues(
  { query }: Queryable,
  table: Table<never>,
  id: string,
  values: Values,
): Promise<Values> {
  const keys = Object.keys(values);
  if (keys.length === 0) return {};
  const same = keys.map((key, at) => {
    return `${isSame(table, key, `$${at + 2}`)} as "${at}"`;
  });
  const [row = {}] = await query<Record<number, boolean>>(
    `select ${same.join(", ")} from ${table.name} where id = $1`,
    [id, ...keys.map((key) => values[key])],
  );
  return Object.fromEntries(
    keys.filter((_, at) => row[at] !== true).map((key) => [key, values[key]]),
  );
}

/** The storage keys that a record has in these fields; null where it has none. */
export async function storedKeys(
  { query }: Queryable,
  table: Table<never>,
  id: string,
  keys: readonly string[],
): Promise<Readonly<Record<string, string | null>>> {
  if (keys.length === 0) return {};
  const columns = keys.map((key, at) => `${columnOf(table, key)?.name} as "${at}"`);
  const [row = {}] = await query<Record<number, string | null>>(
    `select ${columns.join(", ")} from ${table.name} where id = $1`,
    [id],
  );
  return Object.fromEntries(keys.map((key, at) => [key, row[at] ?? null]));
}

/** Ids of the first two records with these values, or what is wrong with the values. */
export async function recordsLike(
  { query }: Queryable,
  { table, shapes }: ResourceDefinition,
  values: Values,
): Promise<{ readonly ids: readonly string[] } | { readonly issues: readonly BodyIssue[] }> {
  const issues: BodyIssue[] = [];
  const parameters: unknown[] = [];
  const conditions: string[] = [];
  for (const [key, value] of Object.entries(values)) {
    const shape = shapes.create[key];
    const read = shape?.safeParse(value);
    if (key === "id" && typeof value === "string" && isUuid(value)) {
      parameters.push(value);
      conditions.push(`id = $${parameters.length}`);
    } else if (read?.success === true) {
      parameters.push(read.data);
      conditions.push(isSame(table, key, `$${parameters.length}`));
    } else {
      const message = read?.error?.issues[0]?.message ?? `${table.resource} has no field ${key}`;
      issues.push({ path: key, message });
    }
  }
  if (issues.length > 0) return { issues };
  const rows = await query<{ id: string }>(
    `select id from ${table.name} where ${conditions.join(" and ")} limit 2`,
    parameters,
  );
  return { ids: rows.map(({ id }) => id) };
}

/** SQL that is true for a row with that value, itself SQL. */
function isSame(table: Table<never>, key: string, value: string): string {
  const column = columnOf(table, key);
  if (column === null) throw new Error(`${table.resource} has no column ${key}`);
  return `${column.name} is not distinct from ${value}::${kindOf(column).sqlType}`;
}
