import sharp from "sharp";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { SeedEvent } from "../../runtime/data/index.js";
import { type ImportingShop, openImportingShop } from "../support/apps/importing-shop.js";

let shop: ImportingShop;
const hooked: string[] = [];

beforeAll(async () => {
  shop = await openImportingShop({
    categories: {
      afterCreate: ({ name }) => void hooked.push(`created ${name}`),
      afterUpdate: ({ name }) => void hooked.push(`updated ${name}`),
    },
  });
  await shop.db.query(
    "insert into service.users (id, name, email) values (gen_random_uuid(), 'Ann', 'ann@example.com')",
  );
});
afterEach(async () => {
  await shop.db.query("truncate categories, products, customers, orders cascade");
  hooked.length = 0;
});
afterAll(() => shop.close());

const counts = (created: number, updated = 0, unchanged = 0) => ({ created, updated, unchanged });

/** `file:line:column: message` of each problem. */
function problemsOf(end: SeedEvent): readonly string[] {
  if (end.kind !== "problems") throw new Error(JSON.stringify(end));
  return end.problems.map(
    ({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`,
  );
}

const picture = (colour: string) =>
  sharp({ create: { width: 40, height: 40, channels: 3, background: colour } })
    .png()
    .toBuffer();

test("a record is found by its key in any form of its text, and so is the target of a link", async () => {
  const files = (form: string) => ({
    "categories.yaml": `key: name
records:
  - { name: ${form} }
  - { name: Sub, parentId: { find: { name: ${form} } } }
`,
  });
  await shop.seed(files("Caf\u00e9"));
  const again = await shop.seed(files("Cafe\u0301"));
  expect(again).toMatchObject({ result: { resources: { categories: counts(0, 0, 2) } } });
});

test("targets come first, links find one record, a link to the same resource finds a later one, unchanged records stay", async () => {
  const files = {
    "categories.yaml": `key: name
records:
  - { name: Green, parentId: { find: { name: Tea } }, createdAt: -12d }
  - { name: Tea, createdAt: 2026-01-02T03:04:05Z }
`,
    "products.json": JSON.stringify({
      key: "name",
      records: [{ name: "Sencha", price: 9.5, categoryId: { find: { name: "Green" } } }],
    }),
    "customers.yaml": `key: email
records:
  - { name: Ann, email: ann@example.com, accountId: { find: { email: Ann@example.com } } }
`,
  };
  const first = await shop.seed(files);
  expect(first).toEqual({
    kind: "done",
    result: {
      resources: { categories: counts(2), products: counts(1), customers: counts(1) },
      files: 0,
    },
  });
  expect(hooked).toEqual(["created Tea", "created Green"]);
  const stored = () =>
    shop.db.query(
      `select name, created_at, updated_at from categories
      union all select name, created_at, updated_at from products order by name`,
    );
  const before = await stored();
  const [{ created_at: made = new Date(0) } = {}] = before as { created_at?: Date }[];
  expect((Date.now() - made.getTime()) / 86_400_000).toBeCloseTo(12, 2);
  const again = await shop.seed(files);
  expect(again).toMatchObject({
    result: { resources: { categories: counts(0, 0, 2), products: counts(0, 0, 1) } },
  });
  expect(await stored()).toEqual(before);
  const changed = files["categories.yaml"].replace(
    "name: Tea, created",
    "name: Tea, position: 4, created",
  );
  const third = await shop.seed({ ...files, "categories.yaml": changed }, ["categories"]);
  expect(third).toMatchObject({ result: { resources: { categories: counts(0, 1, 1) } } });
  expect(hooked.slice(2)).toEqual(["updated Tea"]);
  const after = await stored();
  expect(after[2]).toMatchObject({ created_at: new Date("2026-01-02T03:04:05Z") });
  expect(after[2]).not.toEqual(before[2]);
  expect([after[0], after[1]]).toEqual([before[0], before[1]]);
});

test("files are stored as uploads are, and again only if their bytes changed", async () => {
  const files = {
    "categories.yaml":
      "key: name\nrecords: [{ name: Tea, banner: { file: ./pictures/tea.png } }]\n",
    "pictures/tea.png": await picture("green"),
  };
  const bannerOf = async () =>
    (await shop.db.query("select banner, updated_at from categories"))[0] as { banner: string };
  expect(await shop.seed(files)).toMatchObject({ result: { files: 1 } });
  const first = await bannerOf();
  const [upload] = await shop.db.query<{ details: object }>(
    "select details, unused_since from service.uploads where key = $1",
    [first.banner],
  );
  expect(upload).toMatchObject({
    details: { name: "tea.png", mime: "image/webp", optimised: true },
    unused_since: null,
  });
  expect(await shop.seed(files)).toMatchObject({
    result: { resources: { categories: counts(0, 0, 1) }, files: 0 },
  });
  expect(await bannerOf()).toEqual(first);
  const other = { ...files, "pictures/tea.png": await picture("red") };
  expect(await shop.seed(other)).toMatchObject({
    result: { resources: { categories: counts(0, 1) }, files: 1 },
  });
  expect((await bannerOf()).banner).not.toBe(first.banner);
});

test("every mistake is reported at once, with its position, and nothing is stored", async () => {
  const end = await shop.seed({
    "categories.yaml": `key: name
records:
  - name: Tea
    position: none
    colour: red
  - { name: Coffee, parentId: { find: { name: Drinks } } }
  - { name: Cups, parentId: { find: { summary: 7, shade: x } } }
  - { position: 2 }
  - { name: Plates, parentId: { find: {} } }
  - { name: Pots, position: { find: { name: Tea } }, banner: { file: ./none.png } }
  - Bowls
`,
    "products.yaml": `key: price
record: []
records:
  - { name: Sencha, price: 1, categoryId: { find: { name: Tea } } }
`,
    "customers.yaml": `key: email
records:
  - { name: Ann, email: ann@example.com, accountId: { find: { email: bob@example.com } } }
  - { name: Ann, email: a@example.com, accountId: { find: { name: Ann } } }
`,
    "order-item.yaml": "key: id\nrecords: []\n",
    "orders.yaml": "key: [\n",
    "coupons.yaml": "key: code\nrecords: [{ code: A }]\n",
    "coupons.json": "{}",
  });
  expect(problemsOf(end)).toEqual([
    "seed/categories.yaml:4:15: position: Must be a whole number",
    "seed/categories.yaml:5:13: colour: Unknown field",
    "seed/categories.yaml:7:48: parentId: Must be text",
    "seed/categories.yaml:7:58: parentId: categories has no field shade",
    "seed/categories.yaml:8:5: name: A value is required",
    "seed/categories.yaml:9:31: parentId: write fields and their values",
    "seed/categories.yaml:10:29: position: only link fields accept find",
    "seed/categories.yaml:10:62: banner: there is no file ./none.png",
    "seed/categories.yaml:11:5: a record must be a map of fields",
    "seed/coupons.json:1:1: records must be a list",
    "seed/coupons.json:1:1: the key is missing: the field that identifies stored records",
    "seed/coupons.yaml:1:1: seed/coupons.json seeds the same resource",
    'seed/customers.yaml:3:53: accountId: there is no such record of users: email "bob@example.com"',
    "seed/customers.yaml:4:59: accountId: accounts are found by their email",
    'seed/order-item.yaml:1:1: there is no resource "order-item"',
    "seed/orders.yaml:2:1: this is not valid YAML: Flow sequence in block collection must be sufficiently indented and end with a ]",
    'seed/products.yaml:1:6: key: "price" is not unique',
    'seed/products.yaml:2:1: "record" is not a key of a seed file',
  ]);
  expect(await shop.db.query("select from categories")).toEqual([]);
});

test("all mistakes of one record are reported, those of links, files and times too", async () => {
  const end = await shop.seed({
    "customers.yaml": `key: email
records:
  - { name: A, email: a@example.com, accountId: { find: { email: none@example.com } }, level: tin }
`,
    "categories.yaml": `key: name
records:
  - { name: Tea }
  - { name: Pots, position: 0, parentId: { find: { name: 7 } }, banner: { file: none.png } }
  - { name: Cups, createdAt: -12x, shade: red }
  - { banner: { file: none.jpg } }
`,
  });
  expect(problemsOf(end)).toEqual([
    "seed/categories.yaml:4:29: position: Must be at least 1",
    "seed/categories.yaml:4:58: parentId: Must be text",
    "seed/categories.yaml:4:73: banner: there is no file none.png",
    "seed/categories.yaml:5:30: createdAt: Must be a time: YYYY-MM-DDThh:mm:ssZ",
    "seed/categories.yaml:5:43: shade: Unknown field",
    "seed/categories.yaml:6:5: name: A value is required",
    "seed/categories.yaml:6:15: banner: there is no file none.jpg",
    "seed/customers.yaml:3:13: name: At least 2 characters",
    'seed/customers.yaml:3:49: accountId: there is no such record of users: email "none@example.com"',
    "seed/customers.yaml:3:95: level: Must be one of: bronze, silver, gold",
  ]);
  expect(hooked).toEqual([]);
});

test("a refused transaction leaves no file behind", async () => {
  const uploads = async () =>
    (
      await shop.db.query(
        "select key from service.uploads union all select key from service.stored_objects",
      )
    ).length;
  const before = await uploads();
  const end = await shop.seed({
    "categories.yaml": `key: name
records:
  - { name: Tea, banner: { file: tea.png } }
  - { name: Cups, banner: { file: tea.txt } }
  - { name: Pots, banner: { file: none.png } }
  - { name: Jars, position: 0 }
`,
    "tea.png": await picture("green"),
    "tea.txt": "no picture",
  });
  expect(problemsOf(end)).toEqual([
    "seed/categories.yaml:4:27: banner: This field does not accept text/plain",
    "seed/categories.yaml:5:27: banner: there is no file none.png",
    "seed/categories.yaml:6:29: position: Must be at least 1",
  ]);
  expect(await uploads()).toBe(before);
});

test("a link that several records match is a mistake; a record with an id is stored under it", async () => {
  const id = "018f0000-0000-7000-8000-00000000000a";
  const end = await shop.seed({
    "categories.yaml": `key: id
records:
  - { id: ${id}, name: Tea }
  - { id: 018f0000-0000-7000-8000-00000000000b, name: Green, position: 1 }
  - { id: 018f0000-0000-7000-8000-00000000000c, name: Black, parentId: { find: { position: 1 } } }
`,
  });
  expect(problemsOf(end)).toEqual([
    "seed/categories.yaml:5:72: parentId: more than one such record of categories: position 1",
  ]);
  const none =
    "key: name\nrecords: [{ name: Ink, parentId: { find: { name: Ash, position: 7 } } }]\n";
  expect(problemsOf(await shop.seed({ "categories.yaml": none }))).toEqual([
    'seed/categories.yaml:2:34: parentId: there is no such record of categories: name "Ash" and position 7',
  ]);
  const right = { "categories.yaml": `key: id\nrecords: [{ id: ${id}, name: Tea }]\n` };
  expect(await shop.seed(right)).toMatchObject({
    result: { resources: { categories: counts(1) } },
  });
  expect(await shop.seed(right)).toMatchObject({
    result: { resources: { categories: counts(0, 0, 1) } },
  });
  expect(await shop.db.query("select id from categories")).toEqual([{ id }]);
});
