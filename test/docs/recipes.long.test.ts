import { createHmac } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { migrate } from "../../runtime/migrate/index.js";
import { newSession } from "../support/accounts/accounts.js";
import { created, expectRefusal, paths } from "../support/apps/shop.js";
import { startWrittenApp } from "../support/apps/written-app.js";
import { type Client, client, type Row } from "../support/http/client.js";
import { localTools } from "../support/processes/tools.js";
import { upload } from "../support/storage/files.js";
import { pdf } from "../support/storage/stored.js";
import { block, blocksOf, page } from "./pages.js";

// All recipes are one app. That of React is tried in `client.test.ts`.

const repository = join(import.meta.dirname, "../..");
const blocks = ["docs/recipes", "docs/recipes-code"].flatMap((name) => blocksOf(page(name)));
/** By what the first line of each says: `resources/votes.yaml`, `votes.ts`, `migrations/0002_….sql`. */
const files = new Map(
  blocks.flatMap(({ text }) => {
    const [, path] = /^(?:#|\/\/|--) ([\w./-]+\.(?:yaml|ts|sql))\n/.exec(text) ?? [];
    return path === undefined ? [] : [[path, text] as const];
  }),
);
const isDescriptor = ([path]: readonly [string, string]) => path.startsWith("resources/");
const isMigration = ([path]: readonly [string, string]) => path.startsWith("migrations/");
const own = [...files].filter((file) => !isDescriptor(file) && !isMigration(file));
const secret = "a secret of the payment provider";

const app = await startWrittenApp({
  descriptors: new Map([
    ["tags.yaml", "fields: { name: { type: string, required: true, unique: true } }\n"],
    [
      "customers.yaml",
      "fields: { name: { type: string, required: true }, email: { type: string, unique: true }, since: { type: date } }\n",
    ],
    ...[...files].filter(isDescriptor).map(([path, text]) => [path.slice(10), text] as const),
  ]),
  server: (files.get("server.ts") ?? "").replace("await app.listen();", "export { app };"),
  files: new Map([
    ...own.filter(([path]) => path !== "server.ts"),
    [".env", `DATABASE_URL=${inject("postgresUrl")}\n`],
    [
      "tsconfig.json",
      readFileSync(join(repository, "templates/starter/tsconfig.json.hbs"), "utf8"),
    ],
  ]),
  packages: ["@types", "express", "express-rate-limit", "vitest", "zod"],
  variables: { PAYMENTS_SECRET: secret },
});
afterAll(() => app.close());

let [admin, accounting, ada, bob]: Client[] = [];
let adaId = "";
beforeAll(async () => {
  admin = (await app.caller("admin")).client;
  accounting = (await app.caller("accounting")).client;
  const caller = await app.caller(null);
  adaId = caller.id;
  ada = caller.client;
  bob = (await app.caller(null)).client;
});

function as(caller: Client | undefined): Client {
  return caller ?? expect.unreachable();
}

test("every block of the pages is a file of the app, a request, or the component of the fixture", () => {
  const others = blocks.filter(({ text }) => ![...files.values()].includes(text));
  expect(others.map(({ heading, language }) => `${heading}: ${language}`)).toEqual([
    "A ticket sale: http",
    "Search in several fields: json",
    "TanStack Query: tsx",
  ]);
  const component = readFileSync(join(repository, "fixtures/web/src/products.tsx"), "utf8");
  expect(block("docs/recipes-code", "TanStack Query")).toBe(component);
});

test("the files compile as those of a new app", async () => {
  const options = { ...localTools, cwd: app.root, reject: false } as const;
  expect(await execa("tsc", ["--noEmit", "--singleThreaded"], options)).toMatchObject({
    stdout: "",
    exitCode: 0,
  });
});

describe("the test of the page, in Vitest", async () => {
  await import(pathToFileURL(join(app.root, "hooks.test.ts")).href);
});

/** The paths of the requests below a heading. */
function requestsOf(heading: string): string[] {
  const lines = blocks
    .filter((one) => one.heading === heading && one.language === "http")
    .flatMap(({ text }) => text.trim().split("\n"));
  return lines.map((line) => line.replace(/^GET /, ""));
}

test("each account has one vote for an article", async () => {
  const { id } = await created(as(bob), "articles", { title: "Voted" });
  const vote = { articleId: id, stars: 4 };
  expect(await created(as(ada), "votes", vote)).toMatchObject({ voterId: adaId });
  expect((await as(ada).post("/votes", vote)).status).toBe(422);
  await created(as(bob), "votes", vote);
  expect(paths(await as(bob).post("/votes", { ...vote, voterId: adaId }))).toContain("voterId");
  const operation = {
    upsert: "votes",
    by: "voterId+articleId",
    values: { articleId: id, stars: 2, voterId: adaId },
  };
  const { status, body } = await as(ada).post("/_service/batch", { operations: [operation] });
  expect([status, body]).toMatchObject([200, { data: [{ stars: 2 }] }]);
});

test("a full name follows its parts, and clients cannot send it", async () => {
  const person = await created(as(ada), "people", { firstName: "Ada", lastName: "King" });
  expect(person.fullName).toBe("Ada King");
  const changed = await as(ada).patch<Row>(`/people/${person.id}`, { lastName: "Lovelace" });
  expect(changed.body.fullName).toBe("Ada Lovelace");
  expect(paths(await as(ada).patch(`/people/${person.id}`, { fullName: "X" }))).toEqual([
    "fullName",
  ]);
});

test("a slug is made from the title, once", async () => {
  const article = { title: "Žlutý čaj, 2. díl!" };
  const first = await created(as(ada), "articles", article);
  expect(first.slug).toBe("žlutý-čaj-2-díl");
  const second = await created(as(ada), "articles", article);
  expect(second.slug).toMatch(/^žlutý-čaj-2-díl-[0-9a-f]{6}$/);
  const path = `/articles/${first.id}`;
  expect((await as(ada).patch<Row>(path, { title: "New" })).body.slug).toBe(first.slug);
  const found = await as(ada).list(`/articles?filter[slug]=${encodeURI(String(first.slug))}`);
  expect(found.body.data.map(({ id }) => id)).toEqual([first.id]);
});

test("totals are exact, and numbers have no gaps, under concurrent writers", async () => {
  const invoices = await Promise.all(
    Array.from({ length: 5 }, () => created(as(ada), "invoices", { customer: "Ada" })),
  );
  const numbers = invoices.map(({ number }) => Number(number)).sort((a, b) => a - b);
  const [least = 0] = numbers;
  expect(numbers).toEqual(Array.from({ length: 5 }, (_, at) => least + at));
  const [{ id = "" } = {}, other] = invoices;
  const line = { invoiceId: id, text: "Tea", price: 0.1 };
  const lines = await Promise.all(
    Array.from({ length: 6 }, () => created(as(ada), "invoice-lines", line)),
  );
  const total = async () => (await as(ada).get(`/invoices/${id}`)).body.total;
  expect(await total()).toBe(0.6);
  const [first, second] = lines.map((one) => `/invoice-lines/${one.id}`);
  await as(ada).patch(first ?? "", { price: 5 });
  expect(await total()).toBe(5.5);
  await as(ada).patch(first ?? "", { invoiceId: other?.id });
  await as(ada).delete(second ?? "");
  expect(await total()).toBe(0.4);
  expect((await as(ada).get(`/invoices/${other?.id}`)).body.total).toBe(5);
  const nowhere = { ...line, invoiceId: "0199c0de-0000-7000-8000-000000000001" };
  expect(paths(await as(ada).post("/invoice-lines", nowhere))).toEqual(["invoiceId"]);
  expect((await as(ada).delete(`/invoices/${id}`)).status).toBe(204);
  expect((await as(ada).list(`/invoice-lines?filter[invoiceId]=${id}`)).body.data).toEqual([]);
});

test("exactly the available tickets are sold to concurrent buyers", async () => {
  const tier = { name: "Early", price: 20, left: 5 };
  const { id: priceTierId } = await created(as(admin), "price-tiers", tier);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) => as(at % 2 ? ada : bob).post("/tickets", { priceTierId })),
  );
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(5).fill(201), ...Array(15).fill(409)]);
  expect((await as(ada).get(`/price-tiers/${priceTierId}`)).body.left).toBe(0);
});

test("a till sells by number alone, and no more than the stock", async () => {
  const { id } = await created(as(admin), "price-tiers", { name: "Late", price: 30, left: 5 });
  const [, body = ""] = requestsOf("A ticket sale");
  const sell = () => as(admin).patch(`/price-tiers/${id}`, JSON.parse(body));
  const replies = await Promise.all(Array.from({ length: 20 }, sell));
  const statuses = replies.map(({ status }) => status).sort();
  expect(statuses).toEqual([...Array(5).fill(200), ...Array(15).fill(422)]);
  expect(paths(await sell())).toEqual(["left"]);
  expect((await as(admin).get(`/price-tiers/${id}`)).body.left).toBe(0);
});

test("a contract names the account that changed it last", async () => {
  const { id, changedById } = await created(as(ada), "contracts", { title: "Lease" });
  expect(changedById).toBe(adaId);
  await as(bob).patch(`/contracts/${id}`, { title: "Sale" });
  const { body } = await as(ada).get(`/contracts/${id}?include=changedBy`);
  expect(body).toMatchObject({ changedBy: { name: "Caller 4" } });
});

test("a payslip is fetched by its employee and accounting alone", async () => {
  const { body } = await upload(as(accounting), "payslips/file", "november.pdf", pdf);
  const values = { employeeId: adaId, month: "2026-11-01", file: body.key };
  const { id } = await created(as(accounting), "payslips", values);
  expectRefusal(await as(bob).get(`/payslips/${id}`), 404);
  const own = await as(ada).get<{ fileFile: { url: string } }>(`/payslips/${id}`);
  const fetched = await fetch(`${app.url}${own.body.fileFile.url}`);
  expect(Buffer.from(await fetched.arrayBuffer()).equals(pdf)).toBe(true);
  const unsigned = own.body.fileFile.url.split("?")[0];
  expect((await fetch(`${app.url}${unsigned}`)).status).toBe(404);
});

test("a search covers fields of articles, their authors and tags", async () => {
  const { id: authorId } = await created(as(ada), "people", {
    firstName: "Jo",
    lastName: "Teague",
  });
  const { id } = await created(as(ada), "articles", { title: "Cups", authorId });
  const tag = await created(as(ada), "tags", { name: "Teatime" });
  const listed = await created(as(ada), "articles", { title: "Biscuits", tagIds: [tag.id] });
  await created(as(ada), "articles", { title: "Green tea" });
  await created(as(ada), "articles", { title: "Coffee" });
  const query = JSON.parse(block("docs/recipes", "Search in several fields"));
  const { body } = await as(ada).post<{ data: Row[] }>("/articles/_query", query);
  expect(body.data.map((one) => one.id)).toEqual(expect.arrayContaining([id, listed.id]));
  expect(body.data.map(({ title }) => title)).toContain("Green tea");
  expect(body.data.map(({ title }) => title)).not.toContain("Coffee");
});

test("the migration copies the rows of another schema, unless two have the same address", async () => {
  await app.db.query("create schema if not exists legacy");
  await app.db.query(
    "create table if not exists legacy.clients (full_name text, email text, signed_up timestamptz)",
  );
  const client = "insert into legacy.clients values ($1, $2, '2020-01-02 12:00Z')";
  await app.db.query(client, [" Ada ", "Ada@example.com"]);
  await app.db.query(client, ["Twin", "ada@example.com "]);
  const [[path, text] = ["", ""]] = [...files].filter(isMigration);
  writeFileSync(join(app.root, path), text);
  const { url } = app.config.database;
  const run = () => migrate({ url: url ?? "", directory: join(app.root, "migrations") });
  await expect(run()).rejects.toThrow(
    "1 case: addresses in legacy.clients belong to more than one client",
  );
  await app.db.query("delete from legacy.clients where full_name = 'Twin'");
  await run();
  const { body } = await as(ada).list("/customers");
  expect(body.data).toMatchObject([{ name: "Ada", email: "ada@example.com", since: "2020-01-02" }]);
});

test("the news need no token, and show published articles", async () => {
  await created(as(ada), "articles", { title: "Published", published: true });
  const answer = await fetch(`${app.url}/api/news`);
  expect(await answer.json()).toEqual({
    data: [{ id: expect.any(String), title: "Published", slug: "published" }],
  });
  expect(answer.headers.get("cache-control")).toBe("public, max-age=60");
});

test("an event of the provider pays an invoice once, and one without its signature does not", async () => {
  const { id } = await created(as(ada), "invoices", { customer: "Ada" });
  const text = JSON.stringify({ id: "evt_1", invoiceId: id, amount: 12 });
  const signature = createHmac("sha256", secret).update(text).digest("hex");
  const deliver = (headers: Record<string, string>) =>
    client(app.url, null).send("POST", "/payments/events", { text, headers });
  expectRefusal(await deliver({}), 403);
  expectRefusal(await deliver({ "x-signature": signature.replace(/^./, "z") }), 403);
  for (const _ of [1, 2]) expect((await deliver({ "x-signature": signature })).status).toBe(204);
  expect((await as(ada).get(`/invoices/${id}`)).body.paidAt).not.toBeNull();
  expect((await as(accounting).list("/payments")).body.data).toMatchObject([{ amount: 12 }]);
  expectRefusal(await as(ada).post("/payments", { eventId: "x", invoiceId: id, amount: 1 }), 403);
});

test("each account may send five requests a minute", async () => {
  for (let at = 0; at < 5; at += 1) expect((await as(ada).get("/lookup?q=tea")).status).toBe(200);
  const refused = await as(ada).get("/lookup");
  expectRefusal(refused, 429);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
  expect((await as(bob).get("/lookup")).status).toBe(200);
});

test("CSV has every invoice, with texts in quotes and no formula", async () => {
  await app.db.query(
    `insert into invoices (customer, total) select '=1+1 "x"', 0.5 from generate_series(1, 130)`,
  );
  const url = `${app.url}/api/reports/invoices.csv`;
  expect((await fetch(url)).status).toBe(401);
  const authorization = `Bearer ${await newSession(app.db, adaId)}`;
  const answer = await fetch(url, { headers: { authorization } });
  expect(answer.headers.get("content-type")).toMatch(/^text\/csv/);
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="?invoices.csv/);
  const lines = (await answer.text()).trim().split("\n");
  expect(lines[0]).toBe("number,customer,total");
  const copied = lines.filter((line) => line === `"","'=1+1 ""x""","0.5"`);
  expect(copied).toHaveLength(130);
  const { meta } = (await as(ada).list("/invoices")).body;
  expect(lines).toHaveLength(1 + meta.total);
});
