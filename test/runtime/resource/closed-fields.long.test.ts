import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { validFixtures } from "../../../fixtures/folders.js";
import { Refusal } from "../../../runtime/errors/index.js";
import type { Context, PlannedRead, Read } from "../../../runtime/http/index.js";
import { aggregateRecords, countRecords, listRecords } from "../../../runtime/resource/index.js";
import { getRecord } from "../../../runtime/resource/record/read.js";
import type { Column, Table } from "../../../runtime/resource/table/table.js";
import { createOf, deleteOf, replaceOf, updateOf } from "../../../runtime/resource/write/make.js";
import {
  changeStatement,
  createStatement,
  deleteStatement,
} from "../../../runtime/resource/write/statements.js";
import { closedName, closeFields, ownerColumns } from "../../support/rights/closed-table.js";

const id = "01890000-0000-7000-8000-000000000000";
const caller = { accountId: id, role: null, sessionId: id, isStale: false };

/** The emitted tables of an app, by resource. */
async function tablesOf(app: string): Promise<ReadonlyMap<string, Table<never>>> {
  const tables = new Map<string, Table<never>>();
  for (const name of readdirSync(join(app, "generated"))) {
    const path = join(app, "generated", name, "table.ts");
    if (!existsSync(path)) continue;
    const emitted: Readonly<Record<string, Table<never>>> = await import(path);
    for (const table of Object.values(emitted)) tables.set(table.resource, table);
  }
  return tables;
}

/** To close each field once takes most of the time. */
const first = ["shop", "market"];
const closed = "%s: no statement for somebody who may not read a field names its column";
const named = validFixtures.map((path) => [basename(path), path] as const);

test.each(named.filter(([name]) => first.includes(name)))(closed, (_, path) => expectClosed(path));
test.each(named.filter(([name]) => !first.includes(name)))(closed, (_, path) => expectClosed(path));

async function expectClosed(path: string): Promise<void> {
  const tables = await tablesOf(path);
  const owners = ownerColumns(tables);
  for (const [resource, { columns }] of tables) {
    const fields = Object.entries<Column>(columns).slice(1, -2);
    const keys = fields.filter(([, { name }]) => !owners.has(name)).map(([key]) => key);
    // Each field is closed once while others are open.
    for (const closed of [keys, everyOther(keys, 0), everyOther(keys, 1)]) {
      const app = closeFields(tables, resource, closed);
      const table = app.get(resource);
      if (table === undefined) throw new Error("The table is gone");
      const related = [...app.values()].filter((other) => leadsTo(other, table));
      const texts = [
        ...(await textsOfLists(table, ownQueries(table, closed))),
        ...(await textsOfNumbers(table, closed)),
        ...writtenTexts(table, closed),
      ];
      for (const one of related) texts.push(...(await textsOfLists(one, relatedQueries(one))));
      expect(texts.length).toBeGreaterThan(10);
      expect(texts.filter((text) => text.includes(closedName))).toEqual([]);
    }
  }
}

test.each(validFixtures.map((path) => [basename(path), path]))(
  "%s: every statement uses each of its places once",
  async (_, path) => {
    const [record, row, value] = ["<record>", "<row>", "<value>"];
    const uses = (text: string, place: string) => text.split(place).length - 1;
    for (const { queries, columns, uniques = [] } of (await tablesOf(path)).values()) {
      for (const make of [queries.get, queries.insert, queries.replace]) {
        const text = make({ record, row });
        expect([uses(text, record), uses(text, row)]).toEqual([1, 1]);
      }
      expect(uses(queries.delete({ row }), row)).toBe(1);
      const rules = Object.values<Column>(columns).flatMap(({ unique, link }) =>
        [unique?.match, link?.match].flatMap((match) => match ?? []),
      );
      const together = uniques.flatMap(({ matches }) => Object.values(matches));
      for (const match of [...rules, ...together]) {
        expect(uses(match(value), value)).toBeGreaterThan(0);
      }
    }
  },
);

function everyOther(keys: readonly string[], from: number): readonly string[] {
  return keys.filter((_, at) => at % 2 === from);
}

function leadsTo({ links, inverses }: Table<never>, table: Table<never>): boolean {
  return [links, inverses].some((ways) =>
    Object.values(ways ?? {}).some((way) => way.table?.() === table),
  );
}

function openFields({ columns }: Table<never>, closed: readonly string[]) {
  return Object.entries<Column>(columns).filter(([key]) => !closed.includes(key));
}

/** Queries of a list that name only fields which are open. */
function ownQueries(table: Table<never>, closed: readonly string[]): readonly string[] {
  const byField = openFields(table, closed).flatMap(([key, column]) => [
    `sort=-${key}`,
    `sort=${key}&cursor=`,
    `fields=${key}`,
    `filter[${key}]=${filterValue(column)}`,
    `filter[${key}][ne]=null`,
    where({ or: [{ [`field:${key}`]: null }, { not: { id } }] }),
  ]);
  const plain = ["", "page=2", "cursor=", "etags=true", "q=tea"];
  return [...plain, ...relatedQueries(table), ...byField];
}

/** Fields of what links lead to, which may be closed: a query that names one is refused then. */
function furtherKeys({ links }: Table<never>): readonly string[] {
  return Object.entries(links ?? {}).flatMap(([name, { table }]) =>
    Object.keys(table?.().columns ?? {}).map((key) => `${name}.${key}`),
  );
}

function relatedQueries(table: Table<never>): readonly string[] {
  const { links, inverses } = table;
  const ways = Object.entries({ ...links, ...inverses });
  const names = ways.map(([name]) => name);
  const paths = ways.flatMap(([name, { table }]) => {
    const further = table?.();
    return Object.keys({ ...further?.links, ...further?.inverses }).map((one) => `${name}.${one}`);
  });
  const narrowed = encodeURIComponent(JSON.stringify({ not: { id } }));
  const sorted = furtherKeys(table).flatMap((key) => [`sort=${key}`, `sort=-${key},id&cursor=`]);
  const further = paths.map((path) => `sort=-${path}.createdAt`);
  const related = names.flatMap((name) => [
    `include=${name}`,
    `include=${name}&include[${name}][count]=true&include[${name}][where]=${narrowed}`,
    `include=${name}&include[${name}][perPage]=0`,
    ...paths.filter((path) => path.startsWith(`${name}.`)).map((path) => `include=${path}`),
    where({ [name]: {} }),
    where({ [name]: { some: {} } }),
  ]);
  return [...sorted, ...further, ...related];
}

function where(condition: object): string {
  return `where=${encodeURIComponent(JSON.stringify(condition))}`;
}

async function textsOfLists(table: Table<never>, queries: readonly string[]): Promise<string[]> {
  const shown = queries.filter((query) => /^(include|fields)=|^$/.test(query));
  const lists = await textsOf(listRecords(table), queries);
  return [...lists, ...(await textsOf(getRecord(table), shown))];
}

async function textsOfNumbers(table: Table<never>, closed: readonly string[]): Promise<string[]> {
  const keys = openFields(table, closed).map(([key]) => key);
  const numbers = keys.flatMap((key) => [`by=${key}`, `sum=${key}`, `max=${key}`]);
  const values = [...keys, ...furtherKeys(table)];
  numbers.push(...values.flatMap((key) => [`by=${key}`, `by=${key}:month`, `distinct=${key}`]));
  numbers.push(
    ...Object.entries(table.links ?? {}).map(([name, { field }]) => `by=${field}&include=${name}`),
  );
  const counts = ["", "series=day", ...keys.flatMap((key) => [`field=${key}`, `at=${key}`])];
  const groups = await textsOf(aggregateRecords(table), numbers);
  return [...groups, ...(await textsOf(countRecords(table), counts))];
}

/** Every statement of a read; none where it is refused, as what it names may not be read, sorted or filtered. */
async function textsOf(read: Read, queries: readonly string[]): Promise<string[]> {
  const texts: string[] = [];
  for (const query of queries) texts.push(...(await textsOfOne(read, query)));
  return texts;
}

async function textsOfOne(read: Read, query: string): Promise<string[]> {
  const texts: string[] = [];
  const note = async ({ text }: Pick<PlannedRead, "text">) => {
    texts.push(text);
    return [{}];
  };
  const services = {
    config: { auth: { profiles: "signed-in" } },
    policies: {},
    db: { ofResource: () => ({ read: note }) },
  };
  const request = { headers: {} };
  const context = { query, services, caller, params: { id }, request } as unknown as Context;
  try {
    const planned = read(context);
    const alone: PlannedRead = "prepare" in planned ? await planned.prepare(context) : planned;
    const ofToken = "prepare" in planned ? planned.ofNoRole : undefined;
    for (const one of [alone, ...(ofToken === undefined ? [] : [ofToken])]) {
      texts.push(one.text);
      // Of many rows, and of a long page; what is asked after either may differ.
      for (const row of [{ total: null }, { total: "1", data: "99" }]) {
        await follow(one, row, context);
        texts.push(one.text);
      }
    }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
  return texts;
}

async function follow({ answer, cost }: PlannedRead, row: object, context: Context): Promise<void> {
  if (cost === "key" || cost === "aggregate") return;
  const { long } = await answer(row as never, context);
  await long?.make();
}

/** What writes answer and look for, however few of the fields they change. */
function writtenTexts(table: Table<never>, closed: readonly string[]): string[] {
  const values = Object.fromEntries(
    Object.keys(table.columns)
      .slice(1, -2)
      .map((key) => [key, null]),
  );
  const ifMatch = ["a tag"];
  const shape = {} as never;
  const target = { caller, id, values: {}, ifMatch };
  const change = (kind: "update" | "replace") =>
    (kind === "update" ? updateOf : replaceOf)(table, shape, target);
  const patches = Object.keys(values).map((key) => {
    const text = changeStatement(change("update"), { [key]: null })?.text ?? "";
    const isOfRule = table.uniques?.some(({ matches }) => Object.hasOwn(matches, key)) === true;
    // What is written, and what is unique with it, is named where it is compared.
    return closed.includes(key) || isOfRule ? text.slice(text.indexOf("returning")) : text;
  });
  return [
    createStatement(createOf(table, shape, target), values).text,
    changeStatement(change("replace"), values)?.text ?? "",
    deleteStatement(deleteOf(table, target)).text,
    ...patches,
  ];
}

function filterValue(column: Column): string {
  switch (column.kind) {
    case "id":
    case "belongsTo":
      return id;
    case "boolean":
      return "true";
    case "date":
      return "2026-01-31";
    case "timestamp":
      return "2026-01-31T09:30:00Z";
    case "enum":
      return encodeURIComponent(column.values?.[0] ?? "");
    default:
      return "1";
  }
}
