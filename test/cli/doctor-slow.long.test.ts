import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { products } from "../../fixtures/apps/shop/generated/products/table.js";
import { openDatabase } from "../../runtime/db/index.js";
import { aggregateRecords, countRecords, listRecords } from "../../runtime/resource/index.js";
import { block } from "../docs/pages.js";
import { removeAppFolder } from "../support/apps/app-folder.js";
import { emptyDatabase, type TestDatabase } from "../support/database/database.js";
import { service, starterApp } from "./service.js";

const resource = `fields:
  name: { type: string, required: true, unique: true }
  description: { type: text }
  price: { type: number, decimals: 2, required: true }
  stock: { type: number, integer: true }
  status: { type: enum, values: [draft, live, gone], default: draft, required: true }
`;

const linked = `fields:
  productId: { type: belongsTo, resource: products, required: true }
  reviewId: { type: belongsTo, resource: reviews }
  stars: { type: number, integer: true }
`;

let root: string;
let database: TestDatabase;
beforeAll(async () => {
  root = await starterApp();
  database = await emptyDatabase();
  writeFileSync(join(root, ".env"), `DATABASE_URL=${database.url}\n`);
  writeFileSync(join(root, "resources/products.yaml"), resource);
  writeFileSync(join(root, "resources/reviews.yaml"), linked);
  expect(await service(root, ["generate"])).toMatchObject({ exitCode: 0 });
  expect(await service(root, ["migrate"])).toMatchObject({ exitCode: 0 });
  const db = new pg.Client({ connectionString: database.url });
  await db.connect();
  await db.query(
    `insert into products (id, name, price, stock)
     select gen_random_uuid(), 'Product ' || n, n % 5000, n % 777 from generate_series(1, 20000) as n`,
  );
  await db.query(
    `insert into reviews (id, product_id, stars)
     select gen_random_uuid(), id, stock % 5 from products`,
  );
  await db.query("update reviews set review_id = id");
  await db.query("analyze products, reviews");
  await db.end();
});
afterAll(async () => {
  await database.drop();
  removeAppFolder(root);
});

/** The line that a server logs for that query, which is never asked. */
async function logged(query: string, asked = listRecords): Promise<string> {
  const context = { query, services: { config: {}, isTrusted: true, policies: {} }, params: {} };
  const planned = asked(products)(context as never) as { readonly text: string };
  const text = `select pg_sleep(0.05) -- ${planned.text.split("\n")[0]}`;
  const lines = await slowLines(text, 20);
  const expected = { msg: "A slow statement", statement: text, milliseconds: expect.any(Number) };
  // On a busy machine what opens the connection may be slow as well.
  expect(lines).toContainEqual(expect.objectContaining(expected));
  return lines.map((line) => JSON.stringify(line)).join("\n");
}

/** What a server logs that runs this statement alone. */
async function slowLines(statement: string, slowMs: number): Promise<object[]> {
  const lines: object[] = [];
  const log = { warn: (details: object, msg: string) => void lines.push({ ...details, msg }) };
  const db = openDatabase({ url: database.url, poolSize: 1, prepare: false, slowMs, log });
  await db.read({ text: statement, values: [], cost: "scan", isVaried: true });
  await db.close();
  return lines;
}

test("statements below the limit are not logged", async () => {
  expect(await slowLines("select pg_sleep(0.05)", 60_000)).toEqual([]);
});

async function advice(...lines: readonly string[]): Promise<[problem: string, fix: string][]> {
  writeFileSync(join(root, "server.log"), `${lines.join("\n")}\n`);
  const [, , ...command] = block("docs/performance", "Slow queries").trim().split(" ");
  const args = command.map((one) => (one === "server.log" ? join(root, one) : one));
  const { stdout, stderr, exitCode } = await service(root, [...args, "--json"]);
  expect(exitCode, stdout + stderr).toBe(0);
  const { findings } = JSON.parse(stdout) as { findings: { problem: string; fix: string }[] };
  return findings.map(({ problem, fix }) => [problem, fix]);
}

test("names the index for a slow filter or sort, with the planner's cost", async () => {
  const bySort = await logged("sort=-stock");
  const found = await advice(
    "not JSON",
    bySort,
    bySort,
    await logged("filter[price]=3&sort=stock"),
    await logged(`where=${encodeURIComponent('{"stock":{"gt":3},"price":7}')}&sort=status`),
  );
  expect(found).toEqual([
    [
      expect.stringMatching(/^products, sort -stock: 2 times, up to \d+ ms$/),
      expect.stringMatching(
        /^add to resources\/products.yaml: indexes: \[\[-stock\]\] \(the planner's cost is \d+ without it\)$/,
      ),
    ],
    [
      expect.stringMatching(/^products, filter price, sort stock: 1 time,/),
      expect.stringMatching(/indexes: \[\[price, stock\]\]/),
    ],
    [
      expect.stringMatching(/^products, filter price, stock, sort status: 1 time,/),
      expect.stringMatching(/indexes: \[\[price(, stock)?\]\]/),
    ],
  ]);
});

test("names the index of linked records for a slow sort by their fields", async () => {
  const found = await advice(
    linkedShape(["-product.stock", "-id"]),
    linkedShape(["product.price", "product.stock", "createdAt", "id"]),
    linkedShape(["review.product.stock", "id"]),
    linkedShape(["product.status", "id"]),
    linkedShape(["product.name", "id"]),
    linkedShape(["product.colour", "id"]),
  );
  const gains = "\\(the planner's cost is \\d+ without it\\)$";
  const added = (index: string) =>
    expect.stringMatching(
      `^add to resources/products.yaml: indexes: \\[\\[${index}\\]\\] ${gains}`,
    );
  const none = "no index helps; narrow the query or request fewer records";
  expect(found).toEqual([
    ["reviews, sort -product.stock: 1 time, up to 700 ms", added("stock")],
    [
      "reviews, sort product.price, product.stock, createdAt: 1 time, up to 700 ms",
      added("price, stock"),
    ],
    ["reviews, sort review.product.stock: 1 time, up to 700 ms", added("stock")],
    // In the order of its declaration an enum has no index, and a unique field has one.
    ["reviews, sort product.status: 1 time, up to 700 ms", none],
    ["reviews, sort product.name: 1 time, up to 700 ms", none],
  ]);
});

/** The line of a slow list of reviews. */
function linkedShape(sort: readonly string[]): string {
  const shape = { resource: "reviews", values: [], ranges: [], sort };
  return JSON.stringify({
    statement: `/* service: ${JSON.stringify(shape)} */`,
    milliseconds: 700,
  });
}

test("names the index for slow statistics and sums", async () => {
  const found = await advice(
    await logged("filter[price]=3", countRecords),
    await logged("filter[price]=3&q=tea&sum=stock", aggregateRecords),
    await logged("filter[name][contains]=x", countRecords),
    await logged("", aggregateRecords),
  );
  expect(found).toEqual([
    [
      expect.stringMatching(/^products, filter price, statistics: 2 times, up to \d+ ms$/),
      expect.stringMatching(
        /^add to resources\/products.yaml: indexes: \[\[price\]\] \(the planner's cost is \d+ without it\)$/,
      ),
    ],
    [
      expect.stringMatching(/^products, statistics: 1 time, up to/),
      "no index helps; narrow the query or request fewer records",
    ],
  ]);
});

test("adds nothing, and reports it if no index helps or nothing was slow", async () => {
  expect(await advice(await logged("filter[name][contains]=x&sort=status"))).toEqual([
    [
      expect.stringMatching(/^products, sort status/),
      "no index helps; narrow the query or request fewer records",
    ],
  ]);
  expect(await advice("{}", '{"msg":"A slow statement","statement":"select 1"}')).toEqual([
    [null, null],
  ]);
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(
    "select indexname from pg_indexes where tablename = 'products' and indexdef like '%(stock%'",
  );
  await client.end();
  expect(rows).toEqual([]);
});

test("ignores names in a log that are not fields", async () => {
  const forged = {
    resource: "products",
    values: ["price = 1; drop table products --"],
    ranges: [],
    sort: ["-x"],
  };
  const statement = `/* service: ${JSON.stringify(forged)} */`;
  expect(await advice(JSON.stringify({ statement, milliseconds: 1 }))).toEqual([[null, null]]);
});

test("reads standard input, and reports a log that does not exist", async () => {
  const { stdout } = await service(root, ["doctor", "--slow", "-"], { input: "" });
  expect(stdout).toContain("none in the log");
  const missing = await service(root, ["doctor", "--slow", "lost.log"]);
  expect(missing).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("lost.log") });
});
