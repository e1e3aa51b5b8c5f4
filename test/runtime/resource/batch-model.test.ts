import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openShop, type Shop } from "../../support/apps/shop.js";
import type { Json, Row } from "../../support/http/client.js";
import { tries } from "../../support/searches.js";

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

/** What an operation names: a record that is or was there, or the record of another operation. */
type Target = { readonly known: number } | { readonly ref: number };

type Asked =
  | { readonly kind: "category"; readonly parent: Target | null }
  | {
      readonly kind: "product";
      readonly name: number;
      readonly category: Target;
      readonly stock: number;
    }
  | {
      readonly kind: "upsert";
      readonly name: number;
      readonly category: Target | null;
      readonly stock: number;
    }
  | {
      readonly kind: "change";
      readonly product: number;
      readonly name: number | null;
      readonly category: Target | null;
    }
  | { readonly kind: "drop"; readonly resource: "products" | "categories"; readonly known: number };

const small = fc.nat({ max: 5 });
const few = fc.nat({ max: 2 });
const target: fc.Arbitrary<Target> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ known: few }) },
  { weight: 1, arbitrary: fc.record({ ref: fc.nat({ max: 4 }) }) },
);
const maybe = fc.option(target, { nil: null });
const asked: fc.Arbitrary<Asked> = fc.oneof(
  fc.record({ kind: fc.constant("category"), parent: maybe }),
  // The stock -1 is no mistake, 0.5 is one of form.
  fc.record({
    kind: fc.constant("product"),
    name: small,
    category: target,
    stock: fc.constantFrom(1, 2, -1, 0.5),
  }),
  fc.record({
    kind: fc.constant("product"),
    name: small,
    category: target,
    stock: fc.constantFrom(1, 2),
  }),
  fc.record({
    kind: fc.constant("upsert"),
    name: small,
    category: maybe,
    stock: fc.constantFrom(1, 2, 0.5),
  }),
  fc.record({
    kind: fc.constant("change"),
    product: small,
    name: fc.option(small, { nil: null }),
    category: maybe,
  }),
  fc.record({
    kind: fc.constant("drop"),
    resource: fc.constantFrom("products", "categories"),
    known: few,
  }),
);

interface Product {
  readonly name: string;
  readonly categoryId: string;
  readonly stock: number;
}

/** The shop as plain values; ids of records that a batch is yet to make are `new <index>`. */
interface State {
  readonly categories: Map<string, string | null>;
  readonly products: Map<string, Product>;
}

/** Every id that there ever was, the last ones first. */
const ids = { products: [] as string[], categories: [] as string[] };

function idOf(resource: "products" | "categories", known: number): string {
  return ids[resource].at(-1 - known) ?? "00000000-0000-7000-8000-000000000000";
}

function linkOf(link: Target): unknown {
  return "ref" in link ? { ref: link.ref } : idOf("categories", link.known);
}

let categories = 0;
function newName(): string {
  categories += 1;
  return `C${categories}`;
}

function operationOf(one: Asked): object {
  switch (one.kind) {
    case "category":
      return {
        create: "categories",
        values: { name: newName(), parentId: one.parent && linkOf(one.parent) },
      };
    case "product": {
      const { name, category, stock } = one;
      return {
        create: "products",
        values: { name: `P${name}`, price: 1, stock, categoryId: linkOf(category) },
      };
    }
    case "upsert": {
      const { name, category, stock } = one;
      const link = category && { categoryId: linkOf(category) };
      return {
        upsert: "products",
        by: "name",
        values: { name: `P${name}`, price: 1, stock, ...link },
      };
    }
    case "change": {
      const { product, name, category } = one;
      const values = {
        ...(name !== null && { name: `P${name}` }),
        ...(category && { categoryId: linkOf(category) }),
      };
      return { update: "products", id: idOf("products", product), values };
    }
    case "drop":
      return { delete: one.resource, id: idOf(one.resource, one.known) };
  }
}

function referencesOf(one: Asked): number[] {
  const links = one.kind === "category" ? [one.parent] : "category" in one ? [one.category] : [];
  return links.flatMap((link) => (link !== null && "ref" in link ? [link.ref] : []));
}

const creates = (one: Asked | undefined) =>
  one?.kind === "category" || one?.kind === "product" || one?.kind === "upsert";

/** Applies an operation; the status of its refusal, which changes nothing, or the record's id. */
function apply(
  state: State,
  one: Asked,
  index: number,
  results: readonly (string | number | null)[],
): string | number | null {
  if (referencesOf(one).some((ref) => typeof results[ref] === "number")) return 424;
  const linked = (link: Target) =>
    "ref" in link ? String(results[link.ref]) : idOf("categories", link.known);
  const { categories, products } = state;
  const taken = (name: string, but: string) =>
    [...products].some(([id, product]) => id !== but && product.name === name);
  switch (one.kind) {
    case "category": {
      const parent = one.parent === null ? null : linked(one.parent);
      if (parent !== null && !categories.has(parent)) return 422;
      categories.set(`new ${index}`, parent);
      return `new ${index}`;
    }
    case "upsert": {
      const name = `P${one.name}`;
      if (!Number.isInteger(one.stock)) return 422;
      const [id, found] = [...products].find(([, product]) => product.name === name) ?? [];
      const categoryId = one.category === null ? found?.categoryId : linked(one.category);
      if (categoryId === undefined || !categories.has(categoryId)) return 422;
      products.set(id ?? `new ${index}`, { name, categoryId, stock: one.stock });
      return id ?? `new ${index}`;
    }
    case "product": {
      const name = `P${one.name}`;
      const categoryId = linked(one.category);
      if (!Number.isInteger(one.stock) || taken(name, "") || !categories.has(categoryId))
        return 422;
      products.set(`new ${index}`, { name, categoryId, stock: one.stock });
      return `new ${index}`;
    }
    case "change": {
      const id = idOf("products", one.product);
      const stored = products.get(id);
      if (stored === undefined) return 404;
      const name = one.name === null ? stored.name : `P${one.name}`;
      const categoryId = one.category === null ? stored.categoryId : linked(one.category);
      if (taken(name, id) || !categories.has(categoryId)) return 422;
      products.set(id, { ...stored, name, categoryId });
      return id;
    }
    case "drop": {
      const id = idOf(one.resource, one.known);
      if (!state[one.resource].has(id)) return 404;
      if (one.resource === "categories") {
        if ([...products.values()].some(({ categoryId }) => categoryId === id)) return 409;
        for (const [child, parent] of categories) if (parent === id) categories.set(child, null);
      }
      state[one.resource].delete(id);
      return null;
    }
  }
}

const copyOf = ({ categories, products }: State): State => ({
  categories: new Map(categories),
  products: new Map(products),
});

async function stored(): Promise<State> {
  const categories = await shop.app.db.query<{ id: string; parent: string | null }>(
    "select id, parent_id as parent from categories order by id",
  );
  const products = await shop.app.db.query<Product & { id: string }>(
    `select id, name, stock::int, category_id as "categoryId" from products order by id`,
  );
  return {
    categories: new Map(categories.map(({ id, parent }) => [id, parent])),
    products: new Map(products.map(({ id, ...product }) => [id, product])),
  };
}

/** The state with the ids that the server made. */
function named({ categories, products }: State, made: (id: string) => string): State {
  return {
    categories: new Map([...categories].map(([id, parent]) => [made(id), parent && made(parent)])),
    products: new Map(
      [...products].map(([id, product]) => [
        made(id),
        { ...product, categoryId: made(product.categoryId) },
      ]),
    ),
  };
}

const sorted = ({ categories, products }: State) => [[...categories].sort(), [...products].sort()];

test("batches do what a model does, and a refused one leaves nothing", async () => {
  let model = await stored();
  ids.categories.push(...model.categories.keys());
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(asked, { minLength: 1, maxLength: 8 }),
      fc.boolean(),
      async (all, atomic) => {
        const draft = copyOf(model);
        const results: (string | number | null)[] = [];
        let refused: { status: number; index: number } | null = null;
        const wrong = all.findIndex((one, at) =>
          referencesOf(one).some((ref) => ref >= at || !creates(all[ref])),
        );
        if (wrong >= 0) refused = { status: 400, index: wrong };
        for (const [index, one] of all.entries()) {
          if (refused !== null) break;
          const result = apply(draft, one, index, results);
          results.push(result);
          if (atomic && typeof result === "number") refused = { status: result, index };
        }
        const operations = all.map(operationOf);
        const reply = await shop.admin.post<{
          data: (Row | null)[];
          errors?: Record<string, Json>[];
        }>("/_service/batch", { operations, atomic });
        statuses.add(reply.status);
        if (refused !== null) {
          expect(
            { status: reply.status, index: Reflect.get(reply.body, "index") },
            reply.text,
          ).toEqual(refused);
        } else {
          expect(reply.status, reply.text).toBe(200);
          const { data, errors = [] } = reply.body;
          const made = (id: string) =>
            id.startsWith("new ") ? (data[Number(id.slice(4))]?.id ?? id) : id;
          expect(
            data.map((row) => row?.id ?? null),
            reply.text,
          ).toEqual(results.map((result) => (typeof result === "string" ? made(result) : null)));
          expect(errors.map(({ index, status }) => [index, status])).toEqual(
            results.flatMap((result, index) =>
              typeof result === "number" ? [[index, result]] : [],
            ),
          );
          for (const status of errors) statuses.add(Number(status.status));
          model = named(draft, made);
          for (const [index, one] of all.entries()) {
            const id = data[index]?.id;
            if (id !== undefined) ids[one.kind === "category" ? "categories" : "products"].push(id);
          }
        }
        expect(sorted(await stored())).toEqual(sorted(model));
      },
    ),
    { numRuns: tries(600), seed: 15, endOnFailure: true },
  );
  expect([...statuses].sort()).toEqual([200, 400, 404, 409, 422, 424]);
});

test("records of every kind are the same one by one and together", async () => {
  const { body: account } = await shop.admin.get<{ user: { id: string } }>("/auth/me");
  const customer = (at: number) => ({
    name: `"Quoted" \\ ${at} ✓ é`,
    email: `kinds-${at}@example.com`,
    website: "https://example.com/?a=1&b=2",
    bornOn: "0001-01-01",
    level: "gold",
    newsletter: true,
    balance: 999_999.99,
    notes: "line\nline\ttab",
    accountId: at === 0 ? account.user.id : null,
  });
  const promotion = (at: number, productId: string) => ({
    slot: ["home", "basket", "mail"][at],
    title: at === 0 ? null : `T${at}`,
    rank: 9_007_199_254_740_991 - at,
    boost: [1e-7, 1.5e300, -0.1][at],
    budget: 99_999_999_999.9999 - at,
    startsOn: `9999-12-${29 + at}`,
    endsAt: `2026-01-31T12:00:0${at}.123456789+01:00`,
    productId,
  });
  const products = await Promise.all(
    [0, 1, 2].map((at) => shop.admin.post("/products", shop.product(`Kinds ${at}`))),
  );
  for (const [resource, rows] of [
    ["customers", [0, 1, 2].map(customer)],
    ["promotions", products.map(({ body }, at) => promotion(at, body.id))],
    ["visits", [{}, {}]],
  ] as const) {
    const single = [];
    for (const row of rows) {
      const { body, text } = await shop.admin.post(`/${resource}`, row);
      expect(body.id, text).toBeTruthy();
      single.push(body);
    }
    await shop.app.db.query(`delete from ${resource}`);
    const operations = rows.map((values) => ({ create: resource, values }));
    const { status, body } = await shop.admin.post<{ data: Row[] }>("/_service/batch", {
      operations,
    });
    expect(status).toBe(200);
    const timeless = (all: readonly Row[]) =>
      all.map(({ id, createdAt, updatedAt, ...rest }) => rest);
    expect(timeless(body.data)).toEqual(timeless(single));
  }
});
