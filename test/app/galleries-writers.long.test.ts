import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { FileDetails } from "../../runtime/uploads/index.js";
import { startReceiver } from "../runtime/webhooks/support/receiver.js";
import { type Agent, connectAgent } from "../support/agents/agent.js";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";
import { openEvents } from "../support/http/event-stream.js";
import { checkAnswers, ignoreAnswers } from "../support/openapi/answers.js";
import { pixel, uploaded } from "../support/storage/stored.js";

interface Product {
  readonly id: string;
  readonly name: string;
  readonly photos: readonly string[];
  readonly photosFiles: readonly FileDetails[];
}

interface Products {
  create(values: object): Promise<Product>;
  get(id: string): Promise<Product | null>;
  list(query?: object): Promise<{ data: readonly Product[] }>;
  count(query?: object): Promise<number>;
  update(id: string, changes: unknown): Promise<Product>;
  replace(id: string, values: object): Promise<Product>;
  delete(id: string): Promise<void>;
}

let app: WrittenApp;
let admin: Client;
let agent: Agent;
let token: string;
/** What hooks were given. */
const given: unknown[][] = [];
/** What `beforeUpdate` returns. */
let returned: ((changes: object) => object) | null = null;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "products.yaml",
        "changes: { history: 30 }\nfields:\n  name: { type: string, unique: true }\n  photos: { type: image, list: true, private: true, maxItems: 3 }\n",
      ],
    ]),
    settings: `auth: { check_breached_passwords: false, operators: [admin] }
server: { host: 127.0.0.1, mcp: true }
webhooks: { allow: [127.0.0.1] }
`,
    options: {
      hooks: {
        products: {
          beforeCreate: (values: unknown) => void given.push(["beforeCreate", values]),
          beforeUpdate(changes: object, record: unknown) {
            given.push(["beforeUpdate", changes, record]);
            return returned?.(changes);
          },
          afterUpdate: (record: unknown) => void given.push(["afterUpdate", record]),
        },
      },
    } as never,
  });
  checkAnswers(app.url, app.root);
  const { client } = await app.caller("admin");
  admin = client;
  const { body } = await client.post<{ token: string }>("/auth/service-tokens", { name: "agent" });
  token = body.token;
  agent = await connectAgent(app.url, token);
});
beforeEach(() => {
  given.length = 0;
  returned = null;
});
afterAll(async () => {
  await agent?.close();
  ignoreAnswers(app?.url);
  await app?.close();
});

const photo = () => uploaded(admin, "products/photos", "a.png");
const signed = /\?until=\d+&signature=/;
const unknown = "No file was uploaded to this field under this key";

/** Details with those keys in that order, whose URLs are signed. */
const detailsOf = (keys: readonly string[]) =>
  keys.map((key) => expect.objectContaining({ key, url: expect.stringMatching(signed) }));

async function product(photos: readonly string[]): Promise<Product> {
  const { status, text, body } = await admin.post<Product>("/products", { photos });
  expect(status, text).toBe(201);
  return body;
}

test("app code stores files, and writes and reads galleries", async () => {
  const { resources, files } = app.app as never as {
    resources: { products: Products };
    files: { store(content: Buffer, into: object): Promise<string> };
  };
  const { products } = resources;
  const store = () => files.store(pixel, { resource: "products", field: "photos", name: "a.png" });
  const [a, b, c] = [await store(), await store(), await store()];
  const made = await products.create({ photos: [b, a] });
  expect(made).toMatchObject({ photos: [b, a], photosFiles: detailsOf([b, a]) });
  const added = await products.update(made.id, { photos: { add: [c], remove: [b] } });
  expect(added).toMatchObject({ photos: [a, c], photosFiles: detailsOf([a, c]) });
  const turned = await products.update(made.id, ({ photos }: Product) => ({
    photos: photos.toReversed(),
  }));
  expect(turned.photos).toEqual([c, a]);
  expect(await products.get(made.id)).toEqual(turned);
  expect(await products.count({ where: { id: made.id, photos: { ne: null } } })).toBe(1);
  expect(await products.count({ where: { id: made.id, photos: null } })).toBe(0);
  await expect(products.count({ where: { photos: [a] } })).rejects.toThrow();
  await expect(products.update(made.id, { photos: [a, "none"] })).rejects.toMatchObject({
    status: 422,
    issues: [{ path: "photos.1", message: unknown }],
  });
  expect(await products.replace(made.id, { name: "bare" })).toMatchObject({
    photos: [],
    photosFiles: [],
  });
});

test("hooks get the resulting list and the files, and may change the list", async () => {
  const [a, b, c] = [(await photo()).key, (await photo()).key, (await photo()).key];
  const { id } = await product([a, b]);
  expect(given).toEqual([["beforeCreate", expect.objectContaining({ photos: [a, b] })]]);
  given.length = 0;
  await admin.patch(`/products/${id}`, { photos: { add: [c], remove: [a] } });
  expect(given).toEqual([
    [
      "beforeUpdate",
      { photos: [b, c] },
      expect.objectContaining({ photos: [a, b], photosFiles: detailsOf([a, b]) }),
    ],
    ["afterUpdate", expect.objectContaining({ photos: [b, c], photosFiles: detailsOf([b, c]) })],
  ]);
  returned = () => ({ photos: [c, a] });
  const changed = await admin.patch<Product>(`/products/${id}`, { name: "by a hook" });
  expect(changed.body.photos).toEqual([c, a]);
  returned = () => ({ photos: [c, c] });
  expect((await admin.patch(`/products/${id}`, { name: "twice" })).status).toBe(500);
  returned = () => ({ photos: ["none"] });
  expect((await admin.patch(`/products/${id}`, { name: "nowhere" })).status).toBe(422);
  expect((await admin.get<Product>(`/products/${id}`)).body.photos).toEqual([c, a]);
});

test("batches write lists, and locate mistakes by operation and element", async () => {
  const [a, b] = [(await photo()).key, (await photo()).key];
  const { id } = await product([a]);
  const batch = (operations: readonly object[]) =>
    admin.post<{ data: Product[]; issues: { path: string }[] }>("/_service/batch", { operations });
  const done = await batch([
    { create: "products", values: { name: "batched", photos: [b, a] } },
    { update: "products", id, values: { photos: { add: [b], remove: [a] } } },
    { upsert: "products", by: "name", values: { name: "batched", photos: [a] } },
  ]);
  expect(done.status, done.text).toBe(200);
  expect(done.body.data).toMatchObject([
    { photos: [b, a], photosFiles: detailsOf([b, a]) },
    { photos: [b], photosFiles: detailsOf([b]) },
    { photos: [a], photosFiles: detailsOf([a]) },
  ]);
  const refused = await batch([{ update: "products", id, values: { photos: { add: [a, "no"] } } }]);
  expect(refused.body).toMatchObject({ issues: [{ path: "photos.add.1", message: unknown }] });
});

test("streams, webhooks and histories report that the list has changed", async () => {
  const receiver = await startReceiver();
  const hook = await admin.post("/_service/webhooks", {
    url: receiver.url,
    events: ["products.*"],
  });
  expect(hook.status, hook.text).toBe(201);
  const [a, b] = [(await photo()).key, (await photo()).key];
  const { id } = await product([a]);
  const stream = await openEvents(
    app.url,
    token,
    `/_service/changes?watch=${encodeURIComponent(JSON.stringify({ products: true }))}`,
  );
  expect((await stream.next()).event).toBe("ready");
  try {
    await admin.patch(`/products/${id}`, { photos: { add: [b] } });
    const event = await stream.next();
    expect(event.data).toMatchObject({
      op: "update",
      changed: ["photos"],
      record: { photos: [a, b], photosFiles: detailsOf([a, b]) },
    });
  } finally {
    stream.close();
  }
  await expect
    .poll(() => receiver.received.map(({ body }) => JSON.parse(body)), { timeout: 20_000 })
    .toMatchObject([
      { type: "products.created" },
      {
        type: "products.updated",
        data: {
          changed: ["photos"],
          record: { photos: [a, b], photosFiles: detailsOf([a, b]) },
        },
      },
    ]);
  await receiver.close();
  const history = await admin.get<{ data: { id: string; changes: object[] }[] }>(
    `/products/${id}/_history`,
  );
  const [last, first] = history.body.data;
  expect(last?.changes).toMatchObject([{ field: "photos", from: [a], to: [a, b] }]);
  const reverted = await admin.post<Product>(`/products/${id}/_revert`, { to: first?.id });
  expect(reverted.body).toMatchObject({
    record: { photos: [a], photosFiles: detailsOf([a]) },
    skipped: [],
  });
});

test("agents write lists and see their files", async () => {
  const [a, b] = [(await photo()).key, (await photo()).key];
  const made = await agent.call("create", { resource: "products", values: { photos: [a] } });
  expect(made.result.record).toMatchObject({ photos: [a], photosFiles: detailsOf([a]) });
  const { id } = made.result.record;
  const values = { photos: { add: [b] } };
  const changed = await agent.call("update", { resource: "products", id, values });
  expect(changed.result.record).toMatchObject({ photos: [a, b], photosFiles: detailsOf([a, b]) });
  const wrong = { photos: ["none"] };
  const refused = await agent.call("update", { resource: "products", id, values: wrong });
  expect(refused).toMatchObject({
    isError: true,
    result: { status: 422, issues: [{ path: "photos.0", message: unknown }] },
  });
});

test("the typed client uploads files, and writes and reads galleries", async () => {
  const { createClient } = await import(pathToFileURL(join(app.root, "generated/client.ts")).href);
  const { products } = createClient({ url: `${app.url}/api`, token });
  const upload = (): Promise<FileDetails> => products.upload.photos(pixel, { name: "a.png" });
  const [a, b] = [await upload(), await upload()];
  const made = await products.create({ photos: [a.key] });
  const changed = await products.update(made.id, { photos: { add: [b.key] } });
  expect(changed).toMatchObject({ photosFiles: detailsOf([a.key, b.key]) });
  // A record may be sent as it was read.
  expect(await products.replace(made.id, { ...changed, photos: [b.key] })).toMatchObject({
    photosFiles: detailsOf([b.key]),
  });
  const { data } = await products.list({ where: { id: made.id, photos: { ne: null } } });
  expect(data).toMatchObject([{ photosFiles: detailsOf([b.key]) }]);
  const types = readFileSync(join(app.root, "generated/client/products.ts"), "utf8");
  expect(types).toContain('  files: "photos";\n');
  expect(types).toContain('  lists: "photos";\n');
  expect(types).not.toContain("groupLists");
});

test("nothing groups by a list of files", async () => {
  for (const query of ["by=photos", "distinct=photos", "by=photosFiles", "max=photos"]) {
    const { status, text } = await admin.get(`/products/_aggregate?${query}`);
    expect(status, text).toBe(400);
  }
});
