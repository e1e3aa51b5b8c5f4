import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { created, newName } from "../support/apps/shop.js";
import type { Client, Reply, Row } from "../support/http/client.js";
import { openHost, type ShopHost, type ShopServer } from "../support/processes/shop-process.js";

let host: ShopHost;
let one: ShopServer;
let other: ShopServer;
beforeAll(async () => {
  host = await openHost();
  one = await host.serve();
  other = await host.serve();
});
afterAll(() => host.close());

const newKey = (words: string) => newName(words).replace(" ", "-");

type Outcome = Reply<Row | { readonly data: readonly Row[] }> | "cut";

/** Posts a product; with a key for a batch, together with a review of it. */
function post(caller: Client, key: string): Promise<Outcome> {
  const values = { name: `Of ${key}`, price: 1, categoryId: other.category.id };
  const review = { productId: { ref: 0 }, rating: 5, body: "A review of it" };
  const operations = [
    { create: "products", values },
    { create: "reviews", values: review },
  ];
  const [path, body] = key.startsWith("batch")
    ? ["/_service/batch", { operations }]
    : ["/products", values];
  const headers = { "idempotency-key": key };
  return caller
    .send<Row>("POST", path, { text: JSON.stringify(body), headers })
    .catch(() => "cut" as const);
}

const isDone = (outcome: Outcome) => outcome !== "cut" && outcome.status < 300;

/** What every client does that was cut off: it sends the request again, until it is answered. */
async function insist(caller: Client, key: string): Promise<Exclude<Outcome, "cut">> {
  for (let tries = 0; tries < 100; tries += 1) {
    const reply = await post(caller, key);
    if (reply !== "cut" && isDone(reply)) return reply;
    await sleep(100);
  }
  throw new Error("No answer");
}

async function idsOf(caller: Client, key: string): Promise<string[]> {
  const { body } = await caller.list(`/products?filter[name]=${encodeURIComponent(`Of ${key}`)}`);
  return body.data.map(({ id }) => id);
}

/** Every answer that arrived is about the one record that exists. */
async function expectOne(key: string, outcomes: readonly Outcome[]): Promise<void> {
  const last = await insist(other.admin, key);
  const replies = outcomes.flatMap((outcome) => (outcome === "cut" ? [] : [outcome]));
  const written = replies.filter(isDone);
  for (const { text } of written) expect(text).toBe(last.text);
  // A server that ends, or has lost its database, says so.
  expect(replies.filter(({ status }) => ![200, 201, 409, 503].includes(status))).toEqual([]);
  const [product, review] = "data" in last.body ? (last.body.data as Row[]) : [last.body];
  expect(await idsOf(other.admin, key)).toEqual([product?.id]);
  if (review === undefined) return;
  const { body } = await other.admin.list(`/reviews?filter[productId]=${product?.id}`);
  expect(body.data.map(({ id }) => id)).toEqual([review.id]);
}

test("exactly one of twenty requests with one key on two servers writes", async () => {
  for (let round = 0; round < 6; round += 1) {
    const key = newKey(round % 2 === 0 ? "two" : "batch");
    // On a busy machine the first may take longer than the others wait for it.
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, at) => insist(at % 2 === 0 ? one.admin : other.admin, key)),
    );
    const first = outcomes.filter(({ headers }) => headers["idempotency-replayed"] === undefined);
    expect(first).toHaveLength(1);
    await expectOne(key, outcomes);
  }
});

test("keyed writes of one account on two servers at once store 16 MB of responses", async () => {
  const description = randomBytes(48_000).toString("hex");
  const values = { name: newName("Long"), price: 1, categoryId: other.category.id, description };
  const { id } = await created(one.admin, "products", values);
  const db = new pg.Client({ connectionString: host.databaseUrl });
  await db.connect();
  await db.query("delete from service.kept_answers");
  const sizeOf = async () => {
    const { rows } = await db.query(
      "select sum(octet_length(body)) as bytes from service.kept_answers",
    );
    return Number(rows[0].bytes);
  };
  for (let round = 0; round < 19; round += 1) {
    const sent = Array.from({ length: 10 }, (_, at) => {
      const headers = { "idempotency-key": `long-${round}-${at}` };
      const text = JSON.stringify({ stock: at });
      const caller = at % 2 === 0 ? one.admin : other.admin;
      return caller.send("PATCH", `/products/${id}`, { text, headers });
    });
    const statuses = (await Promise.all(sent)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await sizeOf()).toBeLessThan(16 * 1024 * 1024);
  }
  expect(await sizeOf()).toBeGreaterThan(13 * 1024 * 1024);
  await db.end();
});

test("a server killed during a write leaves the whole write with its response, or nothing", async () => {
  for (const delay of [0, 4, 8, 12, 20]) {
    const key = newKey(`${delay % 8 === 0 ? "batch" : "one"}-killed`);
    const sent = Array.from({ length: 20 }, (_, at) =>
      post(at % 2 === 0 ? one.admin : other.admin, key),
    );
    await sleep(delay);
    one.process.kill("SIGKILL");
    await expectOne(key, await Promise.all(sent));
    await one.process;
    one = await host.serve();
  }
});

test("a database killed during a write leaves the whole write with its response, or nothing", async () => {
  for (const delay of [2, 6, 10, 16]) {
    const admin = new pg.Client({ connectionString: host.databaseUrl });
    admin.on("error", () => {});
    await admin.connect();
    const { rows } = await admin.query("show data_directory");
    const folder = rows[0].data_directory;
    const postmaster = Number(readFileSync(`${folder}/postmaster.pid`, "utf8").split("\n")[0]);
    const key = newKey(`${delay % 4 === 2 ? "batch" : "one"}-crashed`);
    const sent = Array.from({ length: 20 }, (_, at) =>
      post(at % 2 === 0 ? one.admin : other.admin, key),
    );
    await sleep(delay);
    process.kill(postmaster, "SIGKILL");
    const outcomes = await Promise.all(sent);
    await host.stopDatabase().catch(() => {});
    await host.startDatabase();
    await expectOne(key, outcomes);
  }
});
