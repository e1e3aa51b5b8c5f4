import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created, openShop, parameters, type Shop } from "../support/apps/shop.js";
import type { Json, Page, Reply } from "../support/http/client.js";
import {
  type Described,
  type Included,
  type Includes,
  type Model,
  newModel,
  type Record,
  sortedNames,
} from "../support/query-model.js";
import { tries } from "../support/searches.js";

const generated = join(import.meta.dirname, "../../fixtures/apps/shop/generated");
const described: readonly Described[] = JSON.parse(
  readFileSync(join(generated, "descriptors.json"), "utf8"),
);
const asked = ["categories", "products", "customers", "orders", "order-items", "reviews"];

let shop: Shop;
let model: Model;

beforeAll(async () => {
  shop = await openShop();
  await fill();
  const { admin, app } = shop;
  const rows = new Map<string, readonly Record[]>();
  for (const { name } of described) {
    rows.set(name, (await admin.list(`/${name}?perPage=100`)).body.data);
  }
  rows.set("users", await app.db.query<Record>("select id, name from service.users"));
  model = newModel(described, rows);
});
afterAll(() => shop.app.close());

/** A few records of each resource, with empty fields, equal values and records without any that belong to them. */
async function fill(): Promise<void> {
  const { admin, category } = shop;
  const users = await shop.app.db.query<{ id: string }>("select id from service.users order by id");
  const pick = <T>(all: readonly T[], at: number): T => all[at % all.length] as T;
  const make = async (resource: string, count: number, of: (at: number) => Record) => {
    const ids: string[] = [];
    for (let at = 0; at < count; at += 1) {
      ids.push((await created(admin, resource, of(at))).id);
    }
    return ids;
  };
  const words = [
    "apple",
    "Äpfel",
    "Apple pie",
    "100% tea_leaf",
    "O'Neill \\ Sons",
    "zebra",
    "Éclair",
  ];
  const categories = [category.id];
  for (const [at, word] of words.entries()) {
    const parentId = at % 3 === 0 ? null : pick(categories, at);
    const fields = { name: `${word} ${at}`, visible: pick([true, false, null], at), parentId };
    categories.push((await created(admin, "categories", { ...fields, position: 1 + (at % 3) })).id);
  }
  const products = await make("products", 16, (at) => ({
    name: `${pick(words, at)} ${at % 5} ${"x".repeat(at % 3)}${at}`,
    description: at % 2 === 0 ? "Words" : null,
    price: pick([0, 1.5, 3, 20, 100], at),
    stock: pick([null, -1, 0, 10], at),
    active: at % 3 !== 0,
    status: pick(["draft", "live", "gone"], at),
    releasedOn: pick([null, "2023-12-31", "2024-01-01"], at),
    soldOutAt: pick(["2024-06-01T10:00:00.500Z", null], at),
    categoryId: pick(categories, at % 5),
  }));
  const customers = await make("customers", 6, (at) => ({
    name: pick(words, at),
    email: `person${at}@example.com`,
    bornOn: pick([null, "1990-05-05"], at),
    level: pick(["bronze", "silver", "gold"], at),
    balance: pick([0, -5.25, 100], at),
    notes: "Notes",
    accountId: users[at]?.id ?? null,
  }));
  const orders = await make("orders", 10, (at) => ({
    number: at + 1,
    customerId: pick(customers, at % 4),
    handledById: at % 3 === 0 ? null : pick(users, at).id,
    status: pick(["open", "paid", "shipped"], at),
    placedAt: `2026-0${1 + (at % 3)}-01T00:00:00Z`,
    gift: pick([true, false, null], at),
  }));
  await make("order-items", 24, (at) => ({
    orderId: pick(orders, at % 8),
    productId: pick(products, at + Math.floor(at / 8)),
    quantity: 1 + (at % 4),
    unitPrice: pick([1, 2.5], at),
  }));
  await make("reviews", 14, (at) => ({
    productId: pick(products, at % 9),
    customerId: at % 2 === 0 ? null : pick(customers, at),
    rating: 1 + (at % 5),
    title: pick([null, ...words], at),
    body: "Ten letters at least",
    mood: pick([null, "happy", "so-so", "angry"], at),
  }));
}

const ordered = ["number", "date", "timestamp", "string"];
const plain = (type: string) => !["text", "image", "file"].includes(type);

/** A condition on one field, with values that are there, between them, and empty ones. */
function conditionOn(resource: string): fc.Arbitrary<Record> {
  const fields = model.fieldsOf(resource).filter(({ type }) => plain(type));
  return fc.constantFrom(...fields).chain(({ name, type }) => {
    const there = model.rowsOf(resource).map((row) => row[name] ?? null);
    const between = type === "number" ? [2.5, -7, 1e9] : type === "string" ? ["Apple", "m"] : [];
    const values = [...new Set<Json>([...there, ...between, null])];
    const value = fc.constantFrom(...values);
    const present = values.filter((one) => one !== null);
    const some = fc.array(value, { minLength: 1, maxLength: 3 });
    const operators: fc.Arbitrary<Record>[] = [
      value.map((ne) => ({ ne })),
      some.map((all) => ({ in: all })),
      some.map((all) => ({ nin: all })),
    ];
    if (ordered.includes(type) && present.length > 0) {
      const given = fc.constantFrom(...present);
      const bounds = fc.constantFrom("gt", "gte", "lt", "lte");
      operators.push(fc.tuple(bounds, given).map(([word, bound]) => ({ [word]: bound })));
      operators.push(fc.tuple(given, given).map(([gte, lt]) => ({ gte, lt })));
    }
    if (type === "string") {
      const word = fc.constantFrom("contains", "starts", "ends");
      const text = fc.constantFrom("a", "APPLE", "ä", "%", "_", "\\", "'", "5", "é", "e 1");
      operators.push(fc.tuple(word, text).map(([one, looked]) => ({ [one]: looked })));
    }
    const key = fc.constantFrom(name, `field:${name}`);
    return fc.tuple(key, fc.oneof(value, ...operators)).map(([at, wanted]) => ({ [at]: wanted }));
  });
}

function whereOn(resource: string, depth: number, relations: number): fc.Arbitrary<Record> {
  if (depth === 0) return conditionOn(resource);
  const inner = fc.constant(null).chain(() => whereOn(resource, depth - 1, relations));
  const parts = fc.array(inner, { maxLength: 2 });
  const related = model.relationsOf(resource).map((relation) =>
    fc.constant(null).chain(() => {
      const where = whereOn(relation.resource, depth - 1, relations - 1);
      if (!relation.isInverse) return where.map((one): Record => ({ [relation.name]: one }));
      const words = fc.oneof(
        where.map((some): Record => ({ some })),
        where.map((none): Record => ({ none })),
        fc.tuple(where, where).map(([some, none]): Record => ({ some, none })),
      );
      return words.map((one): Record => ({ [relation.name]: one }));
    }),
  );
  return fc.oneof(
    { weight: 2, arbitrary: conditionOn(resource) },
    { weight: 1, arbitrary: parts.map((and) => ({ and })) },
    { weight: 1, arbitrary: parts.map((or) => ({ or })) },
    { weight: 1, arbitrary: inner.map((not) => ({ not })) },
    ...(relations === 0 || related.length === 0
      ? []
      : [{ weight: 4, arbitrary: fc.oneof(...related) }]),
  );
}

function sortOn(resource: string): fc.Arbitrary<readonly string[]> {
  const behind = [1, 2].map((links) => sortedNames(model, resource, links));
  const names = [sortedNames(model, resource, 0), ...behind].filter((all) => all.length > 0);
  const one = fc.tuple(
    fc.constantFrom("", "-"),
    fc.oneof(...names.map((all) => fc.constantFrom(...all))),
  );
  return fc
    .uniqueArray(one, { minLength: 1, maxLength: 3, selector: ([, name]) => name })
    .map((all) => all.map(([sign, name]) => sign + name));
}

/** Few records of each inverse, so that most paths of three stay below the bound. */
function includeOn(resource: string, links: number): fc.Arbitrary<Includes> {
  const relations = links === 0 ? [] : model.relationsOf(resource);
  return fc
    .subarray([...relations], { maxLength: Math.min(links, relations.length) })
    .chain((chosen) => {
      const each = chosen.map(({ name, resource: to, isInverse }) => {
        const names = to === "users" ? ["id", "name"] : model.fieldsOf(to).map((one) => one.name);
        const fields = fc.subarray(names, { minLength: 1 });
        // An account's other keys are not in the model.
        const shown = to === "users" ? fields : fc.option(fields, { nil: undefined });
        const ofInverse = <T>(value: fc.Arbitrary<T>) =>
          isInverse ? fc.option(value, { nil: undefined }) : fc.constant(undefined);
        const options = fc.record({
          fields: shown,
          sort: ofInverse(sortOn(to)),
          perPage: isInverse ? fc.integer({ min: 0, max: 3 }) : fc.constant(undefined),
          where: ofInverse(narrowOn(to, 3)),
          count: ofInverse(fc.boolean()),
          include: to === "users" ? fc.constant({}) : includeOn(to, links - 1),
        });
        return options.map((all): [string, Included] => [
          name,
          Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
        ]);
      });
      return fc.tuple(...each).map((all) => Object.fromEntries(all));
    });
}

/** Conditions on fields and links. */
function narrowOn(resource: string, links: number): fc.Arbitrary<Record> {
  const further = links === 0 ? [] : model.relationsOf(resource);
  const related = further
    .filter(({ isInverse }) => !isInverse)
    .map((relation) =>
      narrowOn(relation.resource, links - 1).map((one): Record => ({ [relation.name]: one })),
    );
  const own = conditionOn(resource);
  return fc.oneof(
    own,
    own.map((not): Record => ({ not })),
    fc.tuple(own, own).map((or): Record => ({ or })),
    ...related,
  );
}

/** The most records of inverses that come with so many records. */
function mostOf(resource: string, include: Includes, records: number): number {
  const relations = model.relationsOf(resource);
  const each = Object.entries(include).map(([name, options]) => {
    const relation = relations.find((one) => one.name === name);
    if (relation === undefined) throw new Error(`no relation ${name}`);
    const own = relation.isInverse ? records * (options.perPage ?? 10) : 0;
    const inside = relation.isInverse ? own : records;
    return own + mostOf(relation.resource, options.include ?? {}, inside);
  });
  return each.reduce((sum, one) => sum + one, 0);
}

/** Each path with its options. */
function pathsOf(include: Includes, before = ""): readonly (readonly [string, Included])[] {
  return Object.entries(include).flatMap(([name, options]) => [
    [before + name, options] as const,
    ...pathsOf(options.include ?? {}, `${before}${name}.`),
  ]);
}

interface Query {
  readonly resource: string;
  readonly where: Record;
  readonly sort: readonly string[];
  readonly include: Includes;
  readonly inAddress: boolean;
}

function anyQuery(): fc.Arbitrary<Query> {
  return fc.constantFrom(...asked).chain((resource) =>
    fc.record({
      resource: fc.constant(resource),
      where: whereOn(resource, 4, 3),
      sort: sortOn(resource),
      include: includeOn(resource, 3).filter((include) => pathsOf(include).length <= 12),
      inAddress: fc.boolean(),
    }),
  );
}

function ask({ resource, where, sort, include, inAddress }: Query): Promise<Reply<Page>> {
  const paths = pathsOf(include);
  if (!inAddress) {
    const included = paths.length === 0 ? {} : { include };
    const body = { where, sort, perPage: 100, ...included };
    return shop.admin.post<Page>(`/${resource}/_query`, body);
  }
  const parameters = new URLSearchParams({ perPage: "100", sort: sort.join() });
  parameters.set("where", JSON.stringify(where));
  if (paths.length > 0) parameters.set("include", paths.map(([path]) => path).join());
  for (const [path, { include: _, ...options }] of paths) {
    for (const [option, value] of Object.entries(options)) {
      const text = option === "where" ? JSON.stringify(value) : String(value);
      parameters.set(`include[${path}][${option}]`, text);
    }
  }
  const address = `/${resource}?${parameters}`;
  // The longest addresses are for bodies.
  return address.length > 8_000
    ? ask({ resource, where, sort, include, inAddress: false })
    : shop.admin.list(address);
}

test("any query is answered as if every record were examined", { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(anyQuery(), async (query) => {
      const { resource, where, sort, include } = query;
      const reply = await ask(query);
      if (mostOf(resource, include, 100) > 5_000) {
        expect(parameters(reply as Reply<unknown>)).toEqual(["include"]);
        return;
      }
      expect(reply.status, reply.text).toBe(200);
      const found = model.rowsOf(resource).filter((row) => model.fulfils(resource, row, where));
      const expected = model
        .sorted(resource, found, sort)
        .map((row) => model.shown(resource, row, include));
      expect(JSON.stringify(reply.body.data)).toBe(JSON.stringify(expected));
      expect(reply.body.meta.total).toBe(found.length);
    }),
    { numRuns: tries(2_000) },
  );
});

test("pages of any query, by number or by cursor, add up to the list", {
  timeout: 600_000,
}, async () => {
  const pages = fc.constantFrom(...asked).chain((resource) =>
    fc.record({
      resource: fc.constant(resource),
      where: fc.oneof(fc.constant({}), whereOn(resource, 2, 2)),
      sort: sortOn(resource),
      perPage: fc.integer({ min: 1, max: 9 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(pages, async ({ resource, where, sort, perPage }) => {
      const found = model.rowsOf(resource).filter((row) => model.fulfils(resource, row, where));
      const expected = model.sorted(resource, found, sort).map(({ id }) => id);
      const query = { where, sort, perPage, fields: ["id"] };
      const ask = (more: object) =>
        shop.admin.post<Page>(`/${resource}/_query`, { ...query, ...more });
      const numbered: Json[] = [];
      const walked: Json[] = [];
      for (let at = 0, cursor: Json = ""; cursor !== null; at += perPage) {
        const byNumber = await ask({ page: 1 + at / perPage });
        numbered.push(...byNumber.body.data.map(({ id }) => id));
        const byCursor: Reply<Page> = await ask({ cursor });
        expect(byCursor.status, byCursor.text).toBe(200);
        walked.push(...byCursor.body.data.map(({ id }) => id));
        cursor = (byCursor.body.meta as unknown as { next: Json }).next;
      }
      expect(numbered).toEqual(expected);
      expect(walked).toEqual(expected);
    }),
    { numRuns: tries(200) },
  );
});

test.each([
  { or: [{ and: [] }, { status: "open" }] },
  { or: [{ number: 1 }, {}] },
  { or: [{ or: [] }, { number: 1 }] },
  { and: [{ or: [{ number: 1 }, { and: [{}] }] }] },
  { not: { or: [{ and: [] }, { number: 1 }] } },
])("empty conditions are fulfilled by every record, in %j too", async (where) => {
  for (const inAddress of [true, false]) {
    const sort = ["number"];
    const reply = await ask({ resource: "orders", where, sort, include: {}, inAddress });
    const found = model.rowsOf("orders").filter((row) => model.fulfils("orders", row, where));
    expect(reply.body.data.map(({ id }) => id)).toEqual(
      model.sorted("orders", found, sort).map(({ id }) => id),
    );
    expect(reply.body.meta.total).toBe(found.length);
  }
});
