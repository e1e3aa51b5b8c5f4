import { finished } from "node:stream/promises";
import type { Queryable, Session } from "../../db/index.js";
import type { BodyIssue } from "../../errors/index.js";
import { sqlTypeOf } from "../table/column-keys.js";
import { columnOf, type Table } from "../table/table.js";
import { type FirstRefused, firstRefused } from "./first-refused.js";
import type { NamedLink } from "./key.js";
import { refuseOtherFiles } from "./other-file.js";
import {
  conflictsFound,
  issuesFound,
  type Lookup,
  nameColumn,
  numberAt,
  placeOf,
  type Sending,
  type SentRow,
  sending,
} from "./sent.js";

/** The rows of a whole file in a temporary table that is dropped when the transaction ends. */
export interface Staged {
  /** Buffers a row until the next `send`. */
  add(row: SentRow): void;
  send(): Promise<void>;
  /** Finds the targets of links by name. Must be called after all rows were sent. Returns whether all were found. */
  resolve(): Promise<boolean>;
  /**
   * Stores all rows with one statement. Throws if PostgreSQL refuses a row, or if a row has a file of another field.
   */
  store(): Promise<void>;
  /** Stores rows up to the first that PostgreSQL refuses, and returns that row; null if all are stored. */
  firstRefused(): Promise<FirstRefused | null>;
  /** Finds all mistakes, and returns those of the first `limit` rows that have any. */
  explain(limit: number): Promise<StagedMistakes>;
}

/** Conflicts with other records or rows. */
export interface StagedMistakes {
  /** The first rows with mistakes. */
  readonly first: readonly {
    readonly row: number;
    readonly line: number | null;
    readonly issues: readonly BodyIssue[];
  }[];
  readonly mistakes: number;
  /** The number of refused rows, including those marked as wrong. */
  readonly refused: number;
}

const staged = "pg_temp._import";
const from = `${staged} as _sent`;

/** Creates the table. `named` are links to the resource itself, whose targets may be rows of the same file. */
export async function stageRows(
  { query, copyIn }: Session,
  table: Table<never>,
  named: readonly NamedLink[],
): Promise<Staged> {
  const all = sending(table);
  const names = named.map((link) => {
    return `, ${nameColumn(table, link.key)} ${link.isList ? "jsonb" : nameType(link)}`;
  });
  const columns = all.columns + names.join("");
  await query(`create temporary table _import (${columns}) on commit drop`);
  await query("create temporary table _wrong (of_row bigint, lookup integer) on commit drop");
  const staging = { query, table, named, all };
  let lines: string[] = [];
  const namedKeys = named.map(({ key }) => key);

  return {
    add(row) {
      lines.push(all.copied(row, namedKeys));
    },
    async send() {
      if (lines.length === 0) return;
      const copy = copyIn(staged);
      copy.end(`${lines.join("\n")}\n`);
      lines = [];
      await finished(copy);
    },
    resolve: () => resolveNames(staging),
    async store() {
      await refuseOtherFiles({ query }, all, { from, parameters: [] });
      await query(all.insert(from));
      for (const use of all.use) await query(use(from));
    },
    firstRefused: () =>
      firstRefused({ query }, staged, async (rows) => {
        await query(all.insert(`${rows} as _sent`));
      }),
    explain: (limit) => explain(staging, limit),
  };
}

interface Staging extends Queryable {
  readonly table: Table<never>;
  readonly named: readonly NamedLink[];
  readonly all: Sending;
}

/** Finds the targets of links by name; returns whether all were found. */
async function resolveNames({ query, table, named }: Staging): Promise<boolean> {
  let areFound = true;
  for (const link of named) {
    const { key, by, id, isList } = link;
    if (by === null) continue;
    const value = placeOf(table, key).slice("_sent.".length);
    const found = placeOf(by.table, by.key).slice("_sent.".length);
    const names = `_sent.${nameColumn(table, key)}`;
    const name = isList ? `(_named.value #>> '{}')::${nameType(link)}` : names;
    const isAnyCase = columnOf(by.table, by.key)?.unique?.anyCase === true;
    const held = (sql: string) => (isAnyCase ? `service.fold_case(${sql})` : sql);
    const target = `coalesce(
        ${id(name)},
        (select _other._id from ${staged} as _other where ${held(`_other.${found}`)} = ${held(name)} order by _other._row limit 1)
      )`;
    const each = `jsonb_array_elements(${names}) with ordinality as _named (value, at)`;
    const targets = isList ? `array(select ${target} from ${each} order by _named.at)` : target;
    await query(`create index on ${staged} ((${held(found)}))`);
    await query(`update ${from} set ${value} = ${targets} where ${names} is not null`);
    const isLost = isList
      ? `array_position(_sent.${value}, null) is not null`
      : `_sent.${value} is null`;
    areFound &&=
      (await query(`select from ${from} where ${names} is not null and ${isLost} limit 1`))
        .length === 0;
  }
  return areFound;
}

/** The type of the names of a link's targets. */
function nameType({ by }: NamedLink): string {
  const column = by === null ? null : columnOf(by.table, by.key);
  return column === null ? "text" : sqlTypeOf(column);
}

/** Marks all mistakes, and lists those of the first rows. */
async function explain(staging: Staging, limit: number): Promise<StagedMistakes> {
  const { query, table, named, all } = staging;
  await query(`create index on ${staged} (_id)`);
  await query("create index on pg_temp._wrong (of_row)");
  const { lookups } = all;
  await query(`analyze ${staged}`);
  await query(
    `insert into pg_temp._wrong select _row, unnest(${conflictsFound(lookups)}) from ${from}`,
  );
  for (const { key, isList } of named) {
    if (isList) continue;
    const at = lookups.findIndex(({ self }) => self === placeOf(table, key));
    await query(
      `insert into pg_temp._wrong select _sent._row, ${at} from ${from}
      where _sent.${nameColumn(table, key)} is not null and ${placeOf(table, key)} is null`,
    );
  }
  for (const [at, lookup] of lookups.entries()) await findRepeated(staging, at, lookup);
  await findLost(staging);
  return listed(staging, limit);
}

/** Records repeated values. Of rows with the same value, the first one without a mistake keeps it. */
async function findRepeated(
  { query }: Staging,
  at: number,
  { unique, isFolded }: Lookup,
): Promise<void> {
  if (unique === undefined) return;
  const held = (value: string) => (isFolded === true ? `service.fold_case(${value})` : value);
  const keys = unique.map((value) => `${held(value)} as _key${value.slice("_sent._".length)}`);
  const names = unique.map((value) => `_key${value.slice("_sent._".length)}`);
  const same = unique.map((value, place) => `${held(value)} = _same.${names[place]}`);
  await query(
    `insert into pg_temp._wrong select _sent._row, ${at}
    from ${from} join (
      select ${keys.join(", ")}, min(_row) filter (where ${sound("_sent")}) as _first
      from ${from}
      where ${unique.map((value) => `${value} is not null`).join(" and ")}
      group by ${names.join(", ")}
      having count(*) > 1
    ) as _same on ${same.join(" and ")}
    where _sent._row > _same._first
      and not exists (select from pg_temp._wrong where of_row = _sent._row and lookup = ${at})`,
  );
}

/** Refuses rows that link to or list a refused row, until no more are found. */
async function findLost({ query, all }: Staging): Promise<void> {
  const { lookups } = all;
  const selves = lookups.flatMap((lookup, at) =>
    lookup.self === undefined ? [] : [lostRows({ ...lookup, self: lookup.self }, at, lookups)],
  );
  for (let found = selves.length; found > 0; ) {
    found = 0;
    for (const sql of selves) found += (await query(sql)).length;
  }
}

/** The statement that records the rows with a link, or a list element, to neither a stored record nor a valid row. */
function lostRows(
  { sql, self, places }: Lookup & { readonly self: string },
  at: number,
  lookups: readonly Lookup[],
): string {
  const notInFile = (id: string) =>
    `not exists (select from ${staged} as _other where _other._id = ${id} and ${sound("_other")})`;
  const isList = places !== undefined;
  const number = isList ? numberAt(lookups, at) : String(at);
  const lost = isList
    ? `cross join lateral (${places} and ${notInFile("_listed.id")}) as _lost (place) where true`
    : `where ${sql} and ${notInFile(self)}`;
  return `insert into pg_temp._wrong select _sent._row, ${number} from ${from} ${lost}
      and not exists (select from pg_temp._wrong where of_row = _sent._row and lookup = ${number})
    returning 1`;
}

async function listed({ query, all }: Staging, limit: number): Promise<StagedMistakes> {
  const first = await query<{ row: string; line: string | null; wrong: number[] }>(
    `select _wrong.of_row::text as row, _line::text as line, array_agg(lookup order by lookup) as wrong
    from pg_temp._wrong join ${staged} on _row = _wrong.of_row
    group by 1, 2, _wrong.of_row order by _wrong.of_row limit ${limit}`,
  );
  const counts = await query<{ lookup: number; rows: string }>(
    "select lookup, count(*) as rows from pg_temp._wrong group by 1",
  );
  const [refused] = await query<{ rows: string }>(
    `select count(*) as rows from (
      select of_row from pg_temp._wrong union select _row from ${staged} where _wrong
    ) as _refused`,
  );
  const issuesOf = (found: number) => issuesFound(all.lookups, found);
  return {
    first: first.map(({ row, line, wrong }) => ({
      row: Number(row),
      line: line === null ? null : Number(line),
      issues: wrong.flatMap(issuesOf),
    })),
    mistakes: counts.reduce(
      (sum, { lookup, rows }) => sum + issuesOf(lookup).length * Number(rows),
      0,
    ),
    refused: Number(refused?.rows ?? 0),
  };
}

/** SQL that is true if the row of the file with this alias is not refused. */
function sound(row: string): string {
  return `not ${row}._wrong and not exists (select from pg_temp._wrong as _w where _w.of_row = ${row}._row)`;
}
