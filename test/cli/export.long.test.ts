import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parse } from "csv-parse/sync";
import { execa } from "execa";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { block } from "../docs/pages.js";
import { migratedDatabase, type TestDatabase } from "../support/database/database.js";
import { fullDisk, type Outcome, plain, program, service, serviceToFullDisk } from "./service.js";

const shop = resolve(import.meta.dirname, "../../fixtures/apps/shop");

let database: TestDatabase;
let db: pg.Client;
let folder: string;

const category = "018f0000-0000-7000-8000-000000000001";
const idOf = (number: number) => `018f0000-0000-7000-8000-00000000010${number}`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "service-export-"));
  database = await migratedDatabase(join(shop, "migrations"));
  db = new pg.Client({ connectionString: database.url });
  await db.connect();
  await db.query("insert into categories (id, name) values ($1, 'Tea, loose')", [category]);
  const insert = `insert into products
    (id, name, description, price, stock, active, status, released_on, sold_out_at, category_id, created_at, updated_at)
    values ($1, $2, $3, $4, $5, $6, 'live', $7, $8, '${category}', '2026-01-02T03:04:05.6Z', '2026-01-02T03:04:05.678Z')`;
  // Not in the order of their ids.
  await db.query(insert, [idOf(2), '=1+1 "x"', null, "12.50", null, false, null, null]);
  await db.query(insert, [
    ...[idOf(1), "Grün\\t,\ttea", "two\nlines", "3", 7, true, "2026-01-31", "2026-02-01T00:00:00Z"],
  ]);
  await db.query(insert, [idOf(3), "-5", "'=x", "0.01", -2, true, null, null]);
});
afterAll(async () => {
  await db.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

const env = () => ({
  DATABASE_URL: database.url,
  SERVICE_SECRET: "a secret of the tests, long enough",
});

function exported(args: readonly string[]): Promise<Outcome> {
  return service(shop, ["export", ...args], { env: env() });
}

/** What a program reads, with all ends of lines. */
async function written(args: readonly string[]): Promise<string> {
  const file = join(folder, "written");
  const outcome = await exported([...args, "--output", file]);
  expect(outcome).toMatchObject({ exitCode: 0, stdout: "" });
  return readFileSync(file, "utf8");
}

const times = '"2026-01-02T03:04:05.600Z","2026-01-02T03:04:05.678Z"'.replaceAll('"', "");

test("CSV has every field, ordered by id, with an empty value as an empty cell", async () => {
  const text = await written(["products"]);
  expect(text).toBe(
    [
      "id,name,description,price,stock,active,status,releasedOn,soldOutAt,categoryId,image,manual,createdAt,updatedAt",
      `${idOf(1)},"Grün\\t,\ttea","two\nlines",3.00,7,true,live,2026-01-31,2026-02-01T00:00:00.000Z,${category},,,${times}`,
      `${idOf(2)},"=1+1 ""x""",,12.50,,false,live,,,${category},,,${times}`,
      `${idOf(3)},-5,'=x,0.01,-2,true,live,,,${category},,,${times}`,
      "",
    ].join("\r\n"),
  );
  expect(parse(text, { columns: true })).toHaveLength(3);
});

test("JSON is one list, NDJSON has one record per line, each as the API shows it without details of files", async () => {
  const [list, lines] = [
    await written(["products", "--format", "json"]),
    await written(["products", "--format", "ndjson"]),
  ];
  const records = lines
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));
  expect(JSON.parse(list)).toEqual(records);
  expect(records[0]).toEqual({
    id: idOf(1),
    name: "Grün\\t,\ttea",
    description: "two\nlines",
    price: 3,
    stock: 7,
    active: true,
    status: "live",
    releasedOn: "2026-01-31",
    soldOutAt: "2026-02-01T00:00:00.000Z",
    categoryId: category,
    image: null,
    manual: null,
    createdAt: "2026-01-02T03:04:05.600Z",
    updatedAt: "2026-01-02T03:04:05.678Z",
  });
  expect(JSON.parse(await written(["coupons", "--format", "json"]))).toEqual([]);
});

test("where and fields choose records and fields; wrong names are reported and nothing is written", async () => {
  const where = '{"category":{"name":{"starts":"tea"}},"price":{"gte":3}}';
  const args = ["products", "--where", where, "--fields", "price,name"];
  expect(await written(args)).toBe(
    `id,name,price\r\n${idOf(1)},"Grün\\t,\ttea",3.00\r\n${idOf(2)},"=1+1 ""x""",12.50\r\n`,
  );
  const output = join(folder, "never.csv");
  for (const [wrong, message] of [
    [["--fields", "name,prise"], 'did you mean "price"?'],
    [["--fields", "imageFile"], '"imageFile" is not a field'],
    [["--where", '{"prise":1}'], "prise is not a field"],
    [["--where", '{"price":{"gte":"x"}}'], "must be a number"],
  ] as const) {
    const outcome = await exported(["products", "--output", output, "--json", ...wrong]);
    expect(outcome).toMatchObject({ exitCode: 1, stdout: "" });
    expect(outcome.stderr).toContain(message);
  }
  expect(existsSync(output)).toBe(false);
});

test("a spreadsheet executes none of its cells", async () => {
  const text = await written(["products", "--spreadsheet", "--fields", "name,description,stock"]);
  expect(text).toBe(
    [
      "\ufeffid,name,description,stock",
      `${idOf(1)},"Grün\\t,\ttea","two\nlines",7`,
      `${idOf(2)},"'=1+1 ""x""",,`,
      `${idOf(3)},-5,''=x,-2`,
      "",
    ].join("\r\n"),
  );
});

test("a file gets its name once it is complete; its extension is its format", async () => {
  const file = join(folder, "tea.jsonl");
  writeFileSync(file, "older");
  const outcome = await exported(["products", "--output", file, "--json"]);
  expect(outcome.exitCode).toBe(0);
  expect(JSON.parse(outcome.stdout)).toEqual({
    resource: "products",
    format: "ndjson",
    rows: 3,
    file,
  });
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(4);
  await db.query("begin; lock table categories in access exclusive mode");
  try {
    const cut = execa(
      process.execPath,
      [program, "-C", shop, "export", "categories", "--output", file],
      {
        env: { ...plain, ...env() },
        reject: false,
      },
    );
    const parts = () => readdirSync(folder).filter((name) => name.endsWith(".part"));
    await expect.poll(parts).toHaveLength(1);
    cut.kill("SIGTERM");
    await cut;
    expect(parts()).toEqual([]);
  } finally {
    await db.query("rollback");
  }
  expect(readFileSync(file, "utf8").split("\n")).toHaveLength(4);
});

test("a full disk behind standard output is reported", async () => {
  const outcome = await serviceToFullDisk(shop, ["export", "categories"], { env: env() });
  expect(outcome).toEqual({ exitCode: 1, stderr: fullDisk });
});

test("a reader that closes early ends it without a message", async () => {
  await db.query(
    `insert into categories (id, name, summary)
     select service.uuid_v7(), 'c' || n, repeat('x', 400) from generate_series(1, 20000) n`,
  );
  const command = `"${process.execPath}" "${program}" -C "${shop}" export categories | head -n 1; echo \${PIPESTATUS[0]}`;
  const { stdout, stderr } = await execa("bash", ["-c", command], { env: { ...plain, ...env() } });
  expect(stdout).toMatch(/^id,name,summary[^\n]*\n0$/);
  expect(stderr).toBe("");
});

test("the commands of the page run unchanged", async () => {
  const npx = `npx() { shift; "${process.execPath}" "${program}" -C "${shop}" "$@"; }`;
  const commands = block("docs/data", "Export");
  await execa("bash", ["-ec", `${npx}\n${commands}`], {
    cwd: folder,
    env: { ...plain, ...env() },
  });
  const lines = (name: string) => readFileSync(join(folder, name), "utf8").trim().split("\n");
  expect(lines("products.csv")[0]).toContain("id,name,description");
  expect(JSON.parse(lines("products.ndjson")[0] ?? "")).toMatchObject({ id: idOf(1) });
  expect(lines("dear.csv")).toEqual(["id,name,price"]);
});

test("a usage error exits with 2, a wrong name with 1", async () => {
  for (const args of [
    ["products", "--json"],
    ["products", "--json", "--output", "-"],
    ["products", "--format", "xml"],
    ["products", "--spreadsheet", "--format", "json"],
    ["products", "--output", join(folder, "tea.xlsx")],
    ["products", "--output", join(folder, "tea.ODS"), "--format", "csv"],
    ["products", "--where", "{"],
    ["products", "coupons"],
    [],
  ]) {
    expect(await exported(args), args.join(" ")).toMatchObject({ exitCode: 2, stdout: "" });
  }
  expect(
    readdirSync(folder).filter((name) => name.startsWith("tea.") && /xlsx|ODS/.test(name)),
  ).toEqual([]);
  const unknown = await exported(["product"]);
  expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
  expect(unknown.stderr).toContain('did you mean "products"?');
  expect(await exported(["users"])).toMatchObject({ exitCode: 1, stdout: "" });
  const nowhere = await exported(["products", "--output", join(folder, "none/x.csv")]);
  expect(nowhere).toMatchObject({ exitCode: 1, stderr: expect.stringContaining("no folder") });
});
