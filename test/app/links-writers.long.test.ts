import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { App, AppOptions } from "service-runtime/app";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newSession } from "../support/accounts/accounts.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import { type Client, client, hangUp } from "../support/http/client.js";
import { withVariables } from "../support/processes/environment.js";

/** Two servers of one app, on one database. */
let app: WrittenApp;
let second: App;
let secondUrl = "";
let clients: readonly [Client, Client];

const options = {
  hooks: { hooked: { beforeUpdate: (values: object) => values } },
} as never as AppOptions;

beforeAll(async () => {
  const fields = "fields: { name: { type: string }, tagIds: { type: links, resource: tags } }\n";
  app = await startWrittenApp({
    descriptors: new Map([
      ["products.yaml", fields],
      ["hooked.yaml", fields],
      ["logged.yaml", `changes: { history: 30 }\n${fields}`],
      ["tags.yaml", "fields: { name: { type: string } }\n"],
    ]),
    options,
  });
  const { createApp } = await import(pathToFileURL(join(app.root, "generated/app.ts")).href);
  const variables = {
    DATABASE_URL: app.config.database.url,
    PORT: "0",
    SERVICE_LOG_LEVEL: "silent",
    SERVICE_SECRET: "a secret of the tests, long enough",
  };
  secondUrl = await withVariables(variables, async () => {
    second = await createApp(options);
    return second.listen();
  });
  const { client: admin, id } = await app.caller("admin");
  clients = [admin, client(secondUrl, await newSession(app.db, id))];
});
afterAll(async () => {
  hangUp(secondUrl);
  await second?.close();
  await app?.close();
});

async function made(path: string, values: object): Promise<string> {
  const { status, body } = await clients[0].post<{ id: string }>(path, values);
  expect({ status, body }).toMatchObject({ status: 201 });
  return body.id;
}

async function tags(count: number): Promise<readonly string[]> {
  return Promise.all(
    Array.from({ length: count }, (_, at) => made("/tags", { name: `tag ${at}` })),
  );
}

const entriesOf = async (table: string, id: string) => {
  const rows = await app.db.query<{ id: string }>(
    `select target_id as id from ${table}_tag_ids where record_id = $1 order by position`,
    [id],
  );
  return rows.map((row) => row.id);
};

test.each([
  ["without hooks", "products"],
  ["with hooks", "hooked"],
  ["with a log", "logged"],
])("concurrent additions through two servers are all kept, %s", async (_, resource) => {
  for (const count of [2, 2, 2, 20]) {
    const ids = await tags(count);
    const [first] = await tags(1);
    const id = await made(`/${resource}`, { tagIds: [first] });
    const replies = await Promise.all(
      ids.map((one, at) =>
        clients[at % 2 === 0 ? 0 : 1].patch(`/${resource}/${id}`, { tagIds: { add: [one] } }),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(ids.map(() => 200));
    const { tagIds } = (await clients[1].get(`/${resource}/${id}`)).body as never as {
      tagIds: readonly string[];
    };
    expect(tagIds[0]).toBe(first);
    expect(new Set(tagIds)).toEqual(new Set([first, ...ids]));
    expect(tagIds).toHaveLength(count + 1);
    expect(await entriesOf(resource, id)).toEqual(tagIds);
  }
});

test("concurrent additions and removals keep the list and its entries in sync", async () => {
  const ids = await tags(20);
  const id = await made("/products", { tagIds: ids.slice(0, 10) });
  const replies = await Promise.all(
    ids.map((one, at) =>
      clients[at % 2 === 0 ? 0 : 1].patch(`/products/${id}`, {
        tagIds: at < 10 ? { remove: [one] } : { add: [one] },
      }),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(ids.map(() => 200));
  const { tagIds } = (await clients[0].get(`/products/${id}`)).body;
  expect(new Set(tagIds as string[])).toEqual(new Set(ids.slice(10)));
  expect(await entriesOf("products", id)).toEqual(tagIds);
});

test("a target deleted through another server is in no list", async () => {
  for (let round = 0; round < 10; round += 1) {
    const [a = "", b = ""] = await tags(2);
    const id = await made("/products", { tagIds: [b] });
    const [patched, deleted] = await Promise.all([
      clients[0].patch(`/products/${id}`, { tagIds: { add: [a] } }),
      clients[1].delete(`/tags/${a}`),
    ]);
    expect([200, 422]).toContain(patched.status);
    expect(deleted.status).toBe(204);
    const { body } = await clients[0].get(`/products/${id}`);
    expect(body).toMatchObject({ tagIds: [b] });
    expect(await entriesOf("products", id)).toEqual([b]);
  }
});
