import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { column, created, openShop, parameters, type Shop } from "../../support/apps/shop.js";
import type { Json, Row } from "../../support/http/client.js";

const names = [
  "Café",
  "Łódź",
  "İstanbul",
  "Diyarbakır",
  "Straße",
  "Ærø",
  "Οδός",
  "Чай",
  "Чаи",
  "한글",
  "Tiếng Việt",
  "100% Crème_brûlée \\ œuf",
] as const;
type Name = (typeof names)[number];

let shop: Shop;
let cafe: Row;
beforeAll(async () => {
  shop = await openShop();
  cafe = await created(shop.admin, "categories", { name: "Cafétéria" });
  for (const name of names) {
    await created(shop.admin, "products", shop.product(name, { categoryId: cafe.id }));
  }
  // As SQL and former releases stored it.
  await shop.app.db.query("update products set name = normalize(name, nfd) where name = 'Café'");
});
afterAll(() => shop.app.close());

const products = async (query: string): Promise<readonly string[]> => {
  const found = await column(shop.member, `/products?sort=createdAt&${query}`, "name");
  return found.map((name) => String(name).normalize("NFC"));
};
const whereOf = (where: Json | object) => `where=${encodeURIComponent(JSON.stringify(where))}`;
const without = (...left: readonly Name[]) => names.filter((name) => !left.includes(name));

describe("q, contains, starts and ends", () => {
  test.each<[written: string, ...found: Name[]]>([
    ["cafe", "Café"],
    ["CAFÉ", "Café"],
    ["lodz", "Łódź"],
    ["ŁÓDŹ", "Łódź"],
    ["istanbul", "İstanbul"],
    ["ISTANBUL", "İstanbul"],
    ["ıstanbul", "İstanbul"],
    ["DİYARBAKIR", "Diyarbakır"],
    ["strasse", "Straße"],
    ["STRAẞE", "Straße"],
    ["aero", "Ærø"],
    ["ÆRØ", "Ærø"],
    ["οδος", "Οδός"],
    ["ΟΔΌΣ", "Οδός"],
    ["чай", "Чай"],
    ["ЧАИ", "Чаи"],
    ["한글", "한글"],
    ["tieng viet", "Tiếng Việt"],
    ["100% creme_brulee \\ oeuf", "100% Crème_brûlée \\ œuf"],
    ["10__"],
    ["c%fe"],
    ["\\%"],
  ])("find %j in either form", async (written, ...found) => {
    for (const form of ["NFC", "NFD"]) {
      const text = encodeURIComponent(written.normalize(form));
      expect(await products(`q=${text}`)).toEqual(found);
      for (const operator of ["contains", "starts", "ends"]) {
        expect(await products(`filter[name][${operator}]=${text}`)).toEqual(found);
      }
    }
  });

  test("find parts at their positions", async () => {
    expect(await products("filter[name][starts]=ae")).toEqual(["Ærø"]);
    const others = ["Łódź", "Ærø", "100% Crème_brûlée \\ œuf"];
    expect(await products("filter[name][contains]=%C3%B8")).toEqual(others);
    expect(await products("filter[name][ends]=ss%C3%A9")).toEqual(["Straße"]);
    expect(await products("filter[name][contains]=%25")).toEqual(["100% Crème_brûlée \\ œuf"]);
    expect(await products("q=_")).toEqual(["100% Crème_brûlée \\ œuf"]);
    expect(await products("q=%5C")).toEqual(["100% Crème_brûlée \\ œuf"]);
  });

  test("an accent alone is in every text", async () => {
    expect(await products("q=%CC%81")).toEqual(names);
    expect(await products("q=")).toEqual(names);
  });

  test("accept 200 characters as sent, whatever is compared", async () => {
    const [longest, tooLong] = ["ß".repeat(200), "ß".repeat(201)].map(encodeURIComponent);
    expect(await products(`q=${longest}`)).toEqual([]);
    expect(await products(`filter[name][ends]=${longest}`)).toEqual([]);
    expect(parameters(await shop.member.get(`/products?q=${tooLong}`))).toEqual(["q"]);
    // Each is one character in NFC.
    const composed = encodeURIComponent("e\u0301".repeat(200));
    expect(await products(`q=${composed}`)).toEqual([]);
  });
});

test("equality, in and ne are exact", async () => {
  expect(await products("filter[name]=Lodz")).toEqual([]);
  expect(await products("filter[name][in]=Lodz,istanbul,Strasse")).toEqual([]);
  expect(await products("filter[name][ne]=Lodz")).toEqual(names);
});

describe("conditions in JSON", () => {
  test.each<[where: object, found: readonly Name[]]>([
    [{ name: { contains: "lod" } }, ["Łódź"]],
    [{ not: { name: { contains: "lod" } } }, without("Łódź")],
    [{ name: { starts: "A", ends: "O" } }, ["Ærø"]],
    [{ or: [{ name: { ends: "Ê" } }, { name: { starts: "ı" } }] }, ["Café", "İstanbul", "Straße"]],
    [{ category: { name: { starts: "CAFETE" } } }, names],
    [{ category: { name: { ends: "terïa" } }, name: { contains: "viet" } }, ["Tiếng Việt"]],
    [{ not: { category: { name: { contains: "cafeteria" } } } }, []],
  ])("%j", async (where, found) => {
    expect(await products(whereOf(where))).toEqual(found);
    const { body } = await shop.member.list(`/products?perPage=1&${whereOf(where)}`);
    expect(body.meta.total).toBe(found.length);
  });

  test("of inverses, and of included records", async () => {
    const some = whereOf({ products: { some: { name: { starts: "ær" } } } });
    expect(await column(shop.member, `/categories?${some}`, "id")).toEqual([cafe.id]);
    const none = whereOf({ products: { none: { name: { starts: "aer" } } } });
    expect(await column(shop.member, `/categories?${none}`, "id")).toEqual([shop.category.id]);
    const only = encodeURIComponent(JSON.stringify({ name: { contains: "STRASSE" } }));
    const path = `/categories?q=cafeteria&include=products&include[products][where]=${only}`;
    const [found] = (await shop.member.list(path)).body.data;
    expect(found?.products).toMatchObject({ data: [{ name: "Straße" }], more: false });
  });
});

test("pages, cursors, totals and sums of a search agree", async () => {
  const all = await products("q=a");
  expect(all.length).toBeGreaterThan(4);
  const { body } = await shop.member.list("/products?q=a&perPage=2");
  expect(body.meta.total).toBe(all.length);
  const walked: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const path = `/products?q=%C3%A1&sort=createdAt&perPage=2&include=category&cursor=${cursor}`;
    const page: { body: { data: Row[]; meta: { next: string | null } } } =
      await shop.member.get(path);
    walked.push(...page.body.data.map(({ name }) => String(name).normalize("NFC")));
    cursor = page.body.meta.next;
  }
  expect(walked).toEqual(all);
  const sums = await shop.member.get<{ data: Row[] }>(
    `/products/_aggregate?sum=price&${whereOf({ name: { contains: "Ä" } })}`,
  );
  expect(sums.body, sums.text).toMatchObject({ data: [{ count: all.length }] });
});

test("the list of accounts is searched by the same rule", async () => {
  await shop.app.db.query("update service.users set name = 'Łukasz Żółć' where role = 'admin'");
  const found = await shop.admin.get<{ data: Row[] }>("/_service/accounts?q=zolc");
  expect(found.body.data.map(({ name }) => name)).toEqual(["Łukasz Żółć"]);
});

test("searches use the index, for accents too; a text that the index cannot find is compared with every row", async () => {
  const planOf = (condition: string) =>
    shop.app.db.transaction(async (db) => {
      await db.query("set local enable_seqscan to off");
      const rows = await db.query<{ "QUERY PLAN": string }>(
        `explain (costs off) select from products where ${condition}`,
      );
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
  for (const pattern of ["'%Łódź%'", "'caf%'", "'%fé'"]) {
    expect(await planOf(`service.fold_text(name) like service.fold_text(${pattern})`)).toContain(
      "Bitmap Index Scan on products__search",
    );
  }
  expect(
    await planOf("service.fold_text(name) like (select service.fold_text('%Łódź%'))"),
  ).toContain("Bitmap Index Scan on products__search");
});
