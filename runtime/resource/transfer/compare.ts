import { isDeepStrictEqual } from "node:util";
import type { Queryable } from "../../db/index.js";
import type { BodyIssue } from "../../errors/index.js";
import type { ByRule } from "../batch/upsert.js";
import { idFormOf, sentFields, shownId, sqlTypeOf } from "../table/column-keys.js";
import type { ResourceDefinition } from "../table/definition.js";
import { kindOf } from "../table/kinds/kinds.js";
import { type Column, columnOf, type Table } from "../table/table.js";
import { placeOf } from "./sent.js";

type Values = Readonly<Record<string, unknown>>;

/** The stored record that a row of the file matches, compared with that row. */
export interface StoredRow {
  readonly id: string;
  /** The compared fields with the same value as the row, or null in both. */
  readonly same: ReadonlySet<string>;
  /** The record's storage keys of the compared file fields, in list order. */
  readonly files: Readonly<Record<string, readonly string[]>>;
}

interface Looked {
  readonly table: Table<never>;
  readonly rule: ByRule;
  readonly isCompared: (key: string, column: Column) => boolean;
}

/** A row with the values that identify its record, and those to compare. */
export interface KeyedRow {
  readonly row: number;
  /** Values by field key, including `id` if the rule has it. */
  readonly values: Values;
}

/** The stored state of the records that rows match by a rule, by row number; rows without a match are left out. */
export async function storedRows(
  { query }: Queryable,
  { table, rule, isCompared }: Looked,
  rows: readonly KeyedRow[],
): Promise<ReadonlyMap<number, StoredRow>> {
  if (rows.length === 0) return new Map();
  const fields = sentFields(table).filter(([key, column]) => isCompared(key, column));
  const keys = fields.map(([key]) => key);
  const sent = [...new Set([...rule.map(({ key }) => key), ...keys])].map((key) => {
    const column = columnOf(table, key);
    const place = placeOf(table, key).slice("_sent.".length);
    return { key, place, type: column === null ? "uuid" : sqlTypeOf(column) };
  });
  const files = fields.filter(([, column]) => kindOf(column).isFile);
  // The driver needs more time to parse an array than the rest of a row.
  const same = fields.map(([key, column]) => {
    const { members, sqlType } = kindOf(column);
    const sentValue = placeOf(table, key);
    // A list in a join table is sorted by id.
    if (column.through === true) {
      return `((${column.name})::${sqlType} is not distinct from array(select unnest(${sentValue}) order by 1))::integer`;
    }
    return `(${members(column.name)} is not distinct from ${members(sentValue)})::integer`;
  });
  const names = files.map(([, column]) => keysText(column));
  const found = await query<{ row: string; id: string; same: string; files: string[] | null }>(
    `select _sent._row::text as row, _found.*
    from json_to_recordset($1) as _sent (_row integer, ${sent.map(({ place, type }) => `${place} ${type}`).join(", ")})
    cross join lateral (
      select ${shownId(table)},
        array_to_string(array[${same.join(", ")}]::integer[], '') as same,
        ${names.length === 0 ? "null" : `case when coalesce(${names.join(", ")}) is not null then array[${names.join(", ")}] end`} as files
      from ${table.name}
      where ${rule.map(({ key, match }) => match(placeOf(table, key))).join(" and ")}
    ) as _found`,
    [
      JSON.stringify(
        rows.map(({ row, values }) => ({
          _row: row,
          ...Object.fromEntries(sent.map(({ key, place }) => [place, values[key] ?? null])),
        })),
      ),
    ],
  );
  return new Map(
    found.map((one) => [
      Number(one.row),
      {
        id: one.id,
        same: new Set(keys.filter((_, at) => one.same[at] === "1")),
        files: Object.fromEntries(
          files.map(([key], at) => [key, one.files?.[at]?.split(keyEnd) ?? []]),
        ),
      },
    ]),
  );
}

/** Separates storage keys, which never contain this character. */
const keyEnd = "\n";

/** SQL for the storage keys in a column as one text; null if there are none. */
function keysText({ name, kind }: Column): string {
  return kindOf({ kind }).isList
    ? `nullif(array_to_string(${name}, chr(${keyEnd.charCodeAt(0)})), '')`
    : `${name}::text`;
}

/** The values of a row that differ from the stored record. */
export function differingValues(values: Values, { same, files }: StoredRow): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([key, value]) => {
      const keys = files[key];
      return keys === undefined ? !same.has(key) : !hasKeys(value, keys);
    }),
  );
}

/** Whether the value of a file field consists of exactly these storage keys. */
export function hasKeys(value: unknown, keys: readonly string[]): boolean {
  return isDeepStrictEqual([value ?? []].flat(), keys);
}

/** Ids of the first two records with the wanted values, or the issues of the values. */
export type Alike = { readonly ids: readonly string[] } | { readonly issues: readonly BodyIssue[] };

/** Finds the records with each of these sets of values, with one statement for all sets of the same fields. */
export async function recordsLike(
  { query }: Queryable,
  definition: ResourceDefinition,
  wanted: readonly Values[],
): Promise<readonly Alike[]> {
  const { table } = definition;
  const read = wanted.map((values) => readLike(definition, values));
  const groups = new Map<string, Map<string, Values>>();
  for (const one of read) {
    if ("issues" in one) continue;
    const group = groups.get(one.group) ?? new Map<string, Values>();
    groups.set(one.group, group.set(one.text, one.values));
  }
  const ids = new Map<string, string[]>();
  for (const group of groups.values()) {
    const texts = [...group.keys()];
    const rows = [...group.values()];
    const columns = Object.entries(rows[0] ?? {}).map(([key, value], at) => {
      const column = columnOf(table, key);
      if (column === null) throw new Error(`${table.resource} has no column ${key}`);
      const { name } = column;
      return {
        typed: `, _${at} ${sqlTypeOf(column)}`,
        // Only these two conditions can use an index.
        condition: value === null ? `${name} is null` : `${name} = _like._${at}`,
      };
    });
    const found = await query<{ at: number; id: string }>(
      `select _at as at, _found.id
      from json_to_recordset($1) as _like (_at integer${columns.map(({ typed }) => typed).join("")})
      cross join lateral (
        select ${shownId(table)} from ${table.name} where ${columns.map(({ condition }) => condition).join(" and ")} limit 2
      ) as _found`,
      [JSON.stringify(rows.map((values, _at) => ({ _at, ...byPlace(values) })))],
    );
    for (const { at, id } of found) {
      const text = texts[at] ?? "";
      ids.set(text, [...(ids.get(text) ?? []), id]);
    }
  }
  return read.map((one) => ("issues" in one ? one : { ids: ids.get(one.text) ?? [] }));
}

/** Values to look for, parsed as in a write. Values with the same `group` are found by the same condition. */
interface Wanted {
  readonly values: Values;
  readonly group: string;
  readonly text: string;
}

function readLike(
  { table, shapes }: ResourceDefinition,
  wanted: Values,
): Wanted | { readonly issues: readonly BodyIssue[] } {
  const issues: BodyIssue[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(wanted)) {
    const read = shapes.create[key]?.safeParse(value);
    if (key === "id" && typeof value === "string" && idFormOf(table).isId(value))
      values[key] = value;
    else if (read?.success === true) values[key] = read.data;
    else {
      const message = read?.error?.issues[0]?.message ?? `${table.resource} has no field ${key}`;
      issues.push({ path: key, message });
    }
  }
  if (issues.length > 0) return { issues };
  const group = JSON.stringify(Object.entries(values).map(([key, value]) => [key, value === null]));
  return { values, group, text: JSON.stringify(values) };
}

function byPlace(values: Values): Values {
  return Object.fromEntries(Object.values(values).map((value, at) => [`_${at}`, value]));
}
