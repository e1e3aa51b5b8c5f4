import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningApp, startApp } from "../support/apps/app.js";
import { client } from "../support/http/client.js";

let app: RunningApp;
beforeAll(async () => {
  app = await startApp("apps/shop", {
    policies: { products: { get: () => true, update: () => false }, coupons: { get: () => true } },
  });
});
afterAll(() => app.close());

type Can = Readonly<Record<string, boolean | "maybe">>;

async function permissions(token: string): Promise<ReadonlyMap<string, Can>> {
  const reply = await client(app.url, token).get<{ data: { name: string; can: Can }[] }>(
    "/_service/resources",
  );
  expect(reply.status).toBe(200);
  return new Map(reply.body.data.map(({ name, can }) => [name, can]));
}

test("a caller reads the rights of its role, and which actions a policy decides", async () => {
  const admin = await permissions(app.token);
  expect(admin.get("products")).toEqual({
    list: true,
    get: "maybe",
    stats: true,
    create: true,
    update: "maybe",
    delete: true,
  });
  const member = await permissions(await app.signIn(null));
  expect(member.get("products")).toEqual({
    list: true,
    get: "maybe",
    stats: true,
    create: false,
    update: false,
    delete: false,
  });
  expect(member.get("coupons")).toMatchObject({ list: false, get: false, stats: true });
  expect(Object.keys(member.get("visits") ?? {})).toEqual([
    "list",
    "get",
    "stats",
    "create",
    "update",
    "delete",
  ]);
});

test("the rights agree with the API's responses", async () => {
  const token = await app.signIn("editor");
  const caller = client(app.url, token);
  for (const [name, can] of await permissions(token)) {
    const { status: list } = await caller.get(`/${name}`);
    expect([name, list === 403]).toEqual([name, can.list === false]);
    const { status: stats } = await caller.get(`/${name}/_stats`);
    expect([name, stats === 403]).toEqual([name, can.stats === false]);
    const { status: create } = await caller.post(`/${name}`, { unknown: 1 });
    expect([name, create === 403]).toEqual([name, can.create === false]);
  }
});

test("a link's name is shown to callers who may include its record", async () => {
  const linksFor = async (token: string) => {
    const reply = await client(app.url, token).get<{
      data: { name: string; fields: { name: string; link?: string }[] }[];
    }>("/_service/resources");
    return Object.fromEntries(
      reply.body.data.map(({ name, fields }) => [
        name,
        fields.flatMap(({ name: field, link }) => (link === undefined ? [] : [`${field}:${link}`])),
      ]),
    );
  };
  // Policies decide about single products and coupons, so none of them can be included.
  const { orders, customers, reviews, products } = await linksFor(app.token);
  expect({ orders, customers, reviews, products }).toEqual({
    orders: ["customerId:customer", "handledById:handledBy"],
    customers: ["accountId:account"],
    reviews: ["customerId:customer"],
    products: ["categoryId:category"],
  });
  for (const token of [app.token, await app.signIn(null)]) {
    const caller = client(app.url, token);
    for (const [name, links] of Object.entries(await linksFor(token))) {
      for (const link of links) {
        const { status, body } = await caller.get(`/${name}?include=${link.split(":")[1]}`);
        expect([name, link, status], JSON.stringify(body)).not.toEqual([name, link, 400]);
      }
    }
  }
});
