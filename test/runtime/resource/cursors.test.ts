import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  column,
  created,
  expectRefusal,
  openShop,
  parameters,
  type Shop,
} from "../../support/apps/shop.js";
import type { Json, Reply, Row } from "../../support/http/client.js";
import { tries } from "../../support/searches.js";

interface CursorPage {
  readonly data: readonly Row[];
  readonly meta: { readonly perPage: number; readonly next: string | null };
}

let shop: Shop;

const names = [
  "ä",
  "a",
  "A",
  "Zebra",
  "zebra",
  "éclair",
  "e",
  "O'Neill \\ Sons",
  "10",
  "9",
  "_",
  "ß",
];
const pick = <Value>(values: readonly Value[], at: number) => values[at % values.length];

beforeAll(async () => {
  shop = await openShop();
  for (let at = 0; at < 30; at += 1) {
    const fields = {
      price: pick([1, 1.5, 20, 0.1], at),
      stock: pick([null, 3, 3, -7, null], at),
      status: pick(["live", "draft", "gone"], at),
      active: at % 3 > 0,
      releasedOn: pick(["2024-01-02", null, "0001-01-01", "9999-12-31"], at),
      soldOutAt: pick([null, "2024-06-01T10:00:00.001Z", "0001-01-01T00:00:00Z"], at),
    };
    await created(
      shop.admin,
      "products",
      shop.product(`${pick(names, at)} ${at % 5} ${at}`, fields),
    );
  }
});
afterAll(() => shop.app.close());

const ask = (query: string) => shop.member.get<CursorPage>(`/products?${query}`);
const idsOf = ({ data }: CursorPage) => data.map(({ id }) => id);

/** The page after the cursor; fails the test when it is not 200. */
async function page(query: string, cursor: string): Promise<CursorPage> {
  const reply = await ask(`${query}&cursor=${cursor}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.body;
}

/** Every page from the first one on; `between` runs before each further one. */
async function walk(query: string, between = async () => {}): Promise<CursorPage[]> {
  const pages = [await page(query, "")];
  for (
    let next = pages[0]?.meta.next ?? null;
    next !== null;
    next = pages.at(-1)?.meta.next ?? null
  ) {
    await between();
    pages.push(await page(query, next));
    expect(pages.length).toBeLessThan(200);
  }
  return pages;
}

describe("cursor pages", () => {
  test("have no total, and null for next when no record follows", async () => {
    expect((await page("perPage=30", "")).meta).toEqual({ perPage: 30, next: null });
    const first = await page("perPage=29", "");
    expect(first.meta).toEqual({ perPage: 29, next: expect.stringMatching(/^[\w-]+$/) });
    expect((await page("perPage=29", first.meta.next ?? "")).meta.next).toBeNull();
    expect(await page("q=nothing+like+this", "")).toEqual({
      data: [],
      meta: { perPage: 25, next: null },
    });
  });

  const steadyKeys = [
    ...["name", "price", "stock", "active", "status", "releasedOn", "soldOutAt", "categoryId"],
    ...["image", "createdAt", "id"],
  ];
  const sortsBy = (keys: readonly string[]) =>
    fc
      .uniqueArray(fc.constantFrom(...keys), { minLength: 1, maxLength: 3 })
      .chain((chosen) =>
        fc
          .array(fc.constantFrom("", "-"), { minLength: 3, maxLength: 3 })
          .map((signs) => chosen.map((one, at) => `${signs[at]}${one}`).join()),
      );
  const narrowing = fc.constantFrom(
    "",
    "&filter[active]=true",
    "&q=e",
    `&where=${encodeURIComponent('{"or":[{"stock":null},{"price":{"gt":1}}]}')}`,
  );

  test("in any order, of any length, are the list", async () => {
    await fc.assert(
      fc.asyncProperty(
        sortsBy([...steadyKeys, "updatedAt"]),
        fc.integer({ min: 1, max: 31 }),
        narrowing,
        async (sort, per, more) => {
          const expected = await column(
            shop.member,
            `/products?perPage=100&sort=${sort}${more}`,
            "id",
          );
          const pages = await walk(`perPage=${per}&sort=${sort}${more}`);
          expect(pages.flatMap(idsOf)).toEqual(expected);
          expect(pages.length).toBe(Math.max(1, Math.ceil(expected.length / per)));
        },
      ),
      { numRuns: tries(150) },
    );
  });

  test("neither repeat nor hide a record that stays, whatever is written meanwhile", async () => {
    let round = 0;
    const temporary: string[] = [];
    const removeOne = async () => {
      const gone = temporary.shift();
      if (gone !== undefined) await shop.admin.delete(`/products/${gone}`);
    };
    const write = async (before: readonly Json[]) => {
      round += 1;
      await removeOne();
      for (const stock of [null, pick([3, -7, 100], round)]) {
        const fields = { stock, price: pick([0.1, 1.5, 50], round), active: round % 2 === 0 };
        const name = `${pick(names, round)} between ${round} ${stock}`;
        temporary.push((await created(shop.admin, "products", shop.product(name, fields))).id);
      }
      // A change of what the list is neither sorted by nor narrowed to.
      const changed = { description: `Changed ${round}` };
      const { status } = await shop.admin.patch(`/products/${pick(before, round * 7)}`, changed);
      expect(status).toBe(200);
    };
    await fc.assert(
      fc.asyncProperty(
        sortsBy(steadyKeys),
        fc.integer({ min: 3, max: 15 }),
        narrowing,
        async (sort, per, more) => {
          const query = `sort=${sort}${more}`;
          const before = await column(shop.member, `/products?perPage=100&${query}`, "id");
          const pages = await walk(`perPage=${per}&${query}`, () => write(before));
          while (temporary.length > 0) await removeOne();
          const seen = pages.flatMap(idsOf);
          expect(seen.filter((id) => before.includes(id))).toEqual(before);
          expect(new Set(seen).size).toBe(seen.length);
        },
      ),
      { numRuns: tries(50) },
    );
  });

  test("continue after the last record, even if it was deleted", async () => {
    const last = await created(shop.admin, "products", shop.product("newest"));
    const first = await page("perPage=1&sort=-createdAt", "");
    expect(idsOf(first)).toEqual([last.id]);
    await shop.admin.delete(`/products/${last.id}`);
    const rest = await page("perPage=100&sort=-createdAt", first.meta.next ?? "");
    expect(idsOf(rest)).toEqual(
      await column(shop.member, "/products?perPage=100&sort=-createdAt", "id"),
    );
  });

  test("may change fields, page size and caller", async () => {
    const sort = "sort=name";
    const { meta } = await page(`${sort}&perPage=3`, "");
    const path = `/products?${sort}&perPage=2&fields=price&cursor=${meta.next}`;
    const { body } = await shop.admin.list(path);
    const expected = await column(shop.member, `/products?${sort}&perPage=5`, "id");
    expect(body.data.map(({ id }) => id)).toEqual(expected.slice(3));
    expect(Object.keys(body.data[0] ?? {})).toEqual(["id", "price"]);
  });

  test("are the same query in any order of its parts", async () => {
    const { meta } = await page(
      `filter[active]=true&filter[price][gt]=0&where=${encodeURIComponent('{"price":{"gte":0,"lt":9},"stock":3}')}&perPage=1`,
      "",
    );
    const again = `sort=-createdAt&where=${encodeURIComponent('{ "stock": 3, "price": {"lt": 9, "gte": 0} }')}&q=&filter[price][gt]=0&filter[active]=true`;
    expect((await ask(`${again}&cursor=${meta.next}`)).status).toBe(200);
  });

  test("reveal nothing about the last record", async () => {
    const marked = await created(shop.admin, "products", shop.product("!!marked", { stock: 4711 }));
    const { meta } = await page("perPage=1&sort=name,stock", "");
    const text = Buffer.from(meta.next ?? "", "base64url").toString("latin1");
    for (const part of ["marked", "4711", marked.id]) expect(text).not.toContain(part);
    await shop.admin.delete(`/products/${marked.id}`);
  });
});

describe("refused with an issue at cursor", () => {
  const query = `sort=name&filter[active]=true&q=e&where=${encodeURIComponent('{"price":{"gt":0}}')}`;
  let next: string;
  beforeAll(async () => {
    next = (await page(`${query}&perPage=2`, "")).meta.next ?? "";
    expect((await page(query, next)).data.length).toBeGreaterThan(0);
  });
  const refused = async (query: string, cursor: string) =>
    expect(parameters(await ask(`${query}&cursor=${encodeURIComponent(cursor)}`))).toEqual([
      "cursor",
    ]);

  test("a cursor cut short, longer, changed or made up", async () => {
    for (let length = 1; length < next.length; length += 5)
      await refused(query, next.slice(0, length));
    for (let at = 0; at < next.length; at += 5) {
      const other = next[at] === "A" ? "B" : "A";
      await refused(query, next.slice(0, at) + other + next.slice(at + 1));
    }
    for (const made of [
      `${next}A`,
      `${next}=`,
      ` ${next}`,
      "null",
      "0",
      "é",
      Buffer.from('["a"]').toString("base64url"),
    ]) {
      await refused(query, made);
    }
  });

  test.each([
    ["sort", query.replace("sort=name", "sort=-name")],
    ["default sort", query.replace("sort=name&", "")],
    ["sort with one more field", query.replace("sort=name", "sort=name,price")],
    ["filter", query.replace("=true", "=false")],
    ["filter less", query.replace("filter[active]=true&", "")],
    ["operator", query.replace("[active]=true", "[active][ne]=true")],
    ["search", query.replace("q=e", "q=E")],
    ["where", query.replace("gt", "lt")],
    ["where less", query.replace(/&where=.*/, "")],
  ])("one of a list with another %s", async (_, query) => {
    await refused(query, next);
  });

  test("one of another resource", async () => {
    const { meta } = await page("perPage=1", "");
    const reply = await shop.member.get(`/categories?cursor=${meta.next}`);
    expect(parameters(reply)).toEqual(["cursor"]);
  });

  test("one over 4 000 characters in an address", async () => {
    await refused(query, "A".repeat(4001));
  });
});

test("a page's number is refused beside a cursor, and a cursor for one record", async () => {
  for (const query of ["cursor=&page=1", "cursor=&page=2"]) {
    expect(parameters(await ask(query))).toEqual(["page"]);
  }
  const [id] = await column(shop.member, "/products?perPage=1", "id");
  expect(parameters(await shop.member.get(`/products/${id}?cursor=`))).toEqual(["cursor"]);
  expect(parameters(await ask("sort=colour&cursor=AAAA"))).toEqual(["sort"]);
});

describe("POST _query", () => {
  const query = (body: unknown, address = "") =>
    shop.member.post<CursorPage>(`/products/_query${address}`, body);
  const list = (address: string): Promise<Reply> => shop.member.get(`/products?${address}`);

  test("is the list, from a body", async () => {
    const where = { or: [{ stock: null }, { price: { gt: 1 } }] };
    const address = `where=${encodeURIComponent(JSON.stringify(where))}&sort=-price,name&fields=name,price&page=2&perPage=3&q=e`;
    const body = {
      where,
      sort: ["-price", "name"],
      fields: ["name", "price"],
      page: 2,
      perPage: 3,
      q: "e",
    };
    const [asked, listed] = [await query(body), await list(address)];
    expect(asked.status, asked.text).toBe(200);
    expect(asked.text).toBe(listed.text);
    expect((await query({})).text).toBe((await list("")).text);
    expect((await query({ timezone: "Europe/Berlin", where: {} })).text).toBe(
      (await list("")).text,
    );
  });

  test("continues a list's cursor, and returns its own", async () => {
    const { meta } = await page("sort=name&perPage=2&q=e", "");
    const { body } = await query({ sort: ["name"], perPage: 2, q: "e", cursor: meta.next });
    expect(body).toEqual(await page("sort=name&perPage=2&q=e", meta.next ?? ""));
    expect((await query({ cursor: "" })).text).toBe((await list("cursor=")).text);
  });

  test("accepts a cursor over 4 000 characters", async () => {
    const reply = await query({ cursor: "A".repeat(4001) });
    expect(parameters(reply)).toEqual(["cursor"]);
    expect(reply.text).toContain("of this list");
  });

  test.each<[body: unknown, param: string]>([
    [{ where: [] }, "where"],
    [{ where: null }, "where"],
    [{ where: "{}" }, "where"],
    [{ where: { colour: 1 } }, "where"],
    [{ sort: "name" }, "sort"],
    [{ sort: [] }, "sort"],
    [{ sort: [1] }, "sort"],
    [{ sort: ["name,price"] }, "sort"],
    [{ sort: null }, "sort"],
    [{ fields: "name" }, "fields"],
    [{ fields: [] }, "fields"],
    [{ fields: ["name", "name"] }, "fields"],
    [{ page: "1" }, "page"],
    [{ page: 0 }, "page"],
    [{ page: 1.5 }, "page"],
    [{ page: 1e300 }, "page"],
    [{ page: 1, cursor: "" }, "page"],
    [{ perPage: "10" }, "perPage"],
    [{ perPage: 101 }, "perPage"],
    [{ perPage: null }, "perPage"],
    [{ q: 1 }, "q"],
    [{ q: "a\0" }, "q"],
    [{ q: "\ud800" }, "q"],
    [{ q: "a".repeat(201) }, "q"],
    [{ cursor: 1 }, "cursor"],
    [{ cursor: null }, "cursor"],
    [{ cursor: "AAAA" }, "cursor"],
    [{ timezone: "Nowhere/Land" }, "timezone"],
    [{ timezone: 1 }, "timezone"],
    [{ etags: null }, "etags"],
    [{ filter: { active: true } }, "filter"],
    [{ "filter[active]": true }, "filter[active]"],
    [{ colour: 1 }, "colour"],
    [{ constructor: 1 }, "constructor"],
  ])("refuses %j", async (body, param) => {
    expect(parameters(await query(body))).toEqual([param]);
  });

  test("refuses parameters in the address, and names every mistake at once", async () => {
    expect(parameters(await query({}, "?perPage=5"))).toEqual(["perPage"]);
    expect(parameters(await query({ sort: 1, page: "x" }, "?q=e"))).toEqual(["page", "q", "sort"]);
  });

  test("refuses another body, a longer one, and callers who may not list", async () => {
    const send = (text: string, headers = {}) =>
      shop.member.send("POST", "/products/_query", { text, headers });
    for (const text of ["[]", "null", "1", "{", ""]) expectRefusal(await send(text), 400);
    expectRefusal(await send("{}", { "content-type": "text/plain" }), 415);
    const long = (bytes: number) => `{"q":"","sort":["name"]${" ".repeat(bytes - 24)}}`;
    expect((await send(long(64 * 1024))).status).toBe(200);
    expectRefusal(await send(long(64 * 1024 + 1)), 413);
    expectRefusal(await shop.anonymous.post("/products/_query", { sort: 1 }), 401);
    const { headers, status } = await shop.member.get("/products/_query");
    expect([status, headers.allow]).toEqual([405, "POST, OPTIONS"]);
  });
});
