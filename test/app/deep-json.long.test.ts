import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectRefusal, openShop, type Shop } from "../support/apps/shop.js";
import type { Client, Reply } from "../support/http/client.js";

// JSON over 64 levels deep, the outermost is the first, is 400, wherever it comes in.

let shop: Shop;
beforeAll(async () => {
  shop = await openShop();
});
afterAll(() => shop.app.close());

/** Lists within each other; the deepest are as deep as an address allows. */
function lists(levels: number): string {
  return "[".repeat(levels) + "]".repeat(levels);
}

function objects(levels: number, key: string): string {
  return `${JSON.stringify({ [key]: 1 })
    .replace("1}", "")
    .repeat(levels)}1${"}".repeat(levels)}`;
}

const tooDeep = "The body is nested more than 64 levels deep";
const unknownId = "01999999-9999-7999-8999-999999999999";

interface Operation {
  readonly requestBody?: { readonly content?: Readonly<Record<string, unknown>> };
  readonly security?: readonly unknown[];
}

type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
};

/** Visits never change; registration, social login and deleting one's own account are off. */
const closed =
  /^(PUT|PATCH) .visits|^DELETE .auth.me$|auth.(apps|register|provider|identities)|^\S+ .oauth/;

function jsonRoutes(): { method: string; path: string; isPublic: boolean }[] {
  const file = join("fixtures/apps/shop/generated/openapi.json");
  const { paths }: Document = JSON.parse(readFileSync(file, "utf8"));
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { requestBody }]) => requestBody?.content?.["application/json"] !== undefined)
      .map(([method, { security }]) => ({
        method: method.toUpperCase(),
        path: path.replace("{id}", unknownId),
        isPublic: security?.length === 0,
      }))
      .filter((route) => !closed.test(`${route.method} ${route.path}`)),
  );
}

test("a body over 64 levels deep is 400 on every route, for callers that the route accepts", async () => {
  const routes = jsonRoutes();
  expect(routes.length).toBeGreaterThan(50);
  for (const { method, path, isPublic } of routes) {
    const send = (caller: Client, text: string) => caller.send(method, path, { text });
    const name = `${method} ${path}`;
    for (const text of [`{"a":${lists(64)}}`, objects(65, "values"), `{"a":${lists(8_000)}}`]) {
      const reply = await send(shop.admin, text);
      expect([name, reply.status, reply.text]).toEqual([name, 400, `{"error":"${tooDeep}"}`]);
    }
    // At 64 levels it is judged by what it says.
    const { status, text } = await send(shop.admin, `{"a":${lists(63)}}`);
    expect([name, status < 500, text.includes("levels")]).toEqual([name, true, false]);
    const stranger = await send(shop.anonymous, `{"a":${lists(64)}}`);
    expect([name, stranger.status]).toEqual([name, isPublic ? 400 : 401]);
  }
});

describe("a batch", () => {
  const operations = (value: string): readonly string[] => [
    `{"create":"products","values":{"name":${value}}}`,
    `{"update":"products","id":"${unknownId}","values":{"name":${value}}}`,
    `{"upsert":"coupons","by":"code","values":{"code":${value}}}`,
    `{"upsert":"coupons","by":${value},"values":{"code":"TEA"}}`,
    `{"delete":${value},"id":"${unknownId}"}`,
  ];
  const bodies = (value: string): readonly string[] => [
    ...operations(value).flatMap((one) => [
      `{"operations":[${one}]}`,
      `{"operations":[${one},${one}]}`,
      `{"operations":[${one}],"atomic":false}`,
    ]),
    `{"operations":${value}}`,
    `{"operations":[],"atomic":${value}}`,
  ];

  test("is 400 at any depth over the limit, in any place", async () => {
    for (const levels of [65, 1_000, 10_000]) {
      for (const text of [...bodies(lists(levels)), ...bodies(objects(levels, "ref"))]) {
        const reply = await shop.admin.send("POST", "/_service/batch", { text });
        expectRefusal(reply, 400);
        expect(reply.body).toEqual({ error: tooDeep });
        const headers = { "idempotency-key": `deep ${levels}`.replace(" ", "-") };
        expectRefusal(await shop.admin.send("POST", "/_service/batch", { text, headers }), 400);
      }
    }
  });

  test("is never 5xx if values reach the last level", async () => {
    for (const text of [...bodies(lists(60)), ...bodies(objects(60, "ref"))]) {
      const { status } = await shop.admin.send("POST", "/_service/batch", { text });
      expect(status).toBeLessThan(500);
    }
  });
});

describe("where", () => {
  const places = ["", "/_stats", "/_aggregate"];
  const wheres = [lists(4_000), lists(65), objects(65, "not"), objects(800, "or")];
  const ask = (caller: Client, place: string, query: string): Promise<Reply> =>
    caller.get(`/products${place}?${query}`);

  test("is 400 if it is too deep, with a cursor or without", async () => {
    for (const where of wheres) {
      for (const place of places) {
        for (const query of [`where=${where}`, `%77here=${where}`, `where=${where}&x=1`]) {
          const cursors = place === "" ? ["", "&cursor=", "&cursor=x"] : [""];
          for (const cursor of cursors) {
            const reply = await ask(shop.admin, place, query + cursor);
            expectRefusal(reply, 400, ["issues"]);
            expect(reply.text).toContain(
              '{"param":"where","message":"where is nested more than 64 levels deep"}',
            );
          }
        }
      }
      const text = `{"where":${where},"cursor":"x"}`;
      expectRefusal(await shop.admin.send("POST", "/products/_query", { text }), 400);
    }
  });

  test("is 400 at 64 levels as well, by its own limit of 8", async () => {
    for (const where of [lists(64), objects(64, "not")]) {
      const reply = await ask(shop.admin, "", `where=${where}&cursor=x`);
      expectRefusal(reply, 400, ["issues"]);
      expect(reply.text).not.toContain("64");
      const text = `{"where":${lists(63)},"cursor":"x"}`;
      expectRefusal(await shop.admin.send("POST", "/products/_query", { text }), 400, ["issues"]);
    }
  });

  test("is not examined before the caller is known", async () => {
    for (const where of [...wheres, "{", '{"name":1}', "{}"]) {
      for (const place of places) {
        for (const query of [`where=${where}`, `cursor=x&where=${where}`]) {
          expectRefusal(await ask(shop.anonymous, place, query), 401);
        }
      }
      expectRefusal(await shop.member.get(`/coupons?where=${where}`), 403);
    }
  });
});
