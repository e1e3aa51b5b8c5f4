import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../../runtime/db/index.js";
import { addAccount, newSession } from "../support/accounts/accounts.js";
import { type ChangedApp, newChangedApp, problemText } from "../support/apps/changed-app.js";
import { linkPackages } from "../support/apps/link-packages.js";
import { type Client, client, hangUp } from "../support/http/client.js";
import { withVariables } from "../support/processes/environment.js";

/** Records that are deleted by the first release, and restored by the second one. */
const before = new Map([
  [
    "goods.yaml",
    `trash: true
fields:
  title: { type: string }
  state: { type: enum, values: [draft, live, lost] }
  code: { type: string }
  label: { type: string }
  note: { type: string }
  days: { type: string }
  tag: { type: string }
  price: { type: number, decimals: 2 }
  placeId: { type: belongsTo, resource: places }
`,
  ],
  [
    "lines.yaml",
    "trash: true\nfields: { goodId: { type: belongsTo, resource: goods, required: true, onDelete: cascade } }\n",
  ],
  ["offers.yaml", "fields: { goodId: { type: belongsTo, resource: goods } }\n"],
  ["places.yaml", "fields: { name: { type: string } }\n"],
]);

const after = new Map([
  [
    "products.yaml",
    `was: goods
trash: true
fields:
  name: { type: string, was: title }
  state: { type: enum, values: [draft, published], renamed: { live: published } }
  code: { type: number, integer: true }
  label: { type: string, maxLength: 5 }
  tag: { type: string, required: true, unique: true }
  price: { type: number, decimals: 2, max: 10 }
  placeId: { type: belongsTo, resource: places, required: true }
  size: { type: number, integer: true, default: 3 }
  codes: { type: number, list: true }
  words: { type: string, list: true, default: [new] }
  days: { type: date, list: true }
  colour: { type: string, required: true, default: red }
`,
  ],
  [
    "lines.yaml",
    "trash: true\nfields: { productId: { type: belongsTo, resource: products, required: true, onDelete: cascade, was: goodId } }\n",
  ],
  ["offers.yaml", "fields: { productId: { type: belongsTo, resource: products, was: goodId } }\n"],
  ["places.yaml", "fields: { name: { type: string } }\n"],
]);

let released: ChangedApp;
let ada: Client;
let url: string;
let closeApp: () => Promise<void>;
const ids = new Map<string, string>();
let place: string;

const goods: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  whole: { title: "Tea", state: "live", note: "Old", tag: "whole", label: "short" },
  narrower: { label: "too long", tag: "narrower" },
  greater: { price: 11, tag: "greater" },
  empty: {},
  kind: { code: "7", tag: "kind" },
  value: { state: "lost", tag: "value" },
  list: { days: "soon", tag: "list" },
  homeless: { tag: "homeless", place_id: null },
  first: { tag: "same" },
  second: { tag: "same" },
};

beforeAll(async () => {
  released = await newChangedApp();
  const { root, target, client: sql } = released;
  linkPackages(root);
  writeFileSync(join(root, "package.json"), '{ "name": "released", "type": "module" }');
  writeFileSync(
    join(root, "service.yaml"),
    "auth: { check_breached_passwords: false }\nserver: { host: 127.0.0.1 }\n",
  );
  await release(before);
  place = (await sql.query("insert into places (name) values ('Home') returning id")).rows[0].id;
  for (const [name, given] of Object.entries(goods)) {
    const values: Readonly<Record<string, unknown>> = { place_id: place, ...given };
    const columns = Object.keys(values);
    const { rows } = await sql.query(
      `insert into goods (${columns.join(", ")})
       values (${columns.map((_, at) => `$${at + 1}`).join(", ")})
       returning id`,
      Object.values(values),
    );
    ids.set(name, rows[0].id);
  }
  await sql.query("insert into lines (good_id) select id from goods");
  await sql.query("insert into offers (good_id) values ($1)", [ids.get("whole")]);
  await sql.query("delete from goods");
  await release(after);

  const variables = {
    ...{ DATABASE_URL: target.url, PORT: "0", SERVICE_LOG_LEVEL: "error" },
    SERVICE_SECRET: "a secret of the tests, long enough",
  };
  const app = await withVariables(variables, async () => {
    const { createApp } = await import(pathToFileURL(join(root, "generated/app.ts")).href);
    const made = await createApp();
    url = await made.listen();
    return made;
  });
  const db = openDatabase({ url: target.url, poolSize: 1, prepare: true });
  const account = { email: "ada@example.com", password: "a password of the tests" };
  const id = await addAccount(db, { ...account, role: null, name: "Ada" });
  ada = client(url, await newSession(db, id));
  closeApp = async () => {
    hangUp(url);
    await app.close();
    await db.close();
  };
});
afterAll(async () => {
  await closeApp?.();
  await released.close();
});

async function release(descriptors: ReadonlyMap<string, string>): Promise<void> {
  const changed = ["code", "days", "label", "note", "placeId", "price", "state", "tag"];
  const consent = changed.map((field) => `products.${field}`);
  const generated = await released.generate(descriptors, consent);
  expect(problemText(generated)).toBe("");
  await released.migrate();
}

const path = (name: string) => `/products/${ids.get(name)}`;
const restore = (name: string) =>
  ada.post<Record<string, unknown>>(`${path(name)}/_restore`, undefined);

async function refused(name: string, field: string): Promise<void> {
  const reply = await restore(name);
  expect([reply.status, reply.body], reply.text).toEqual([
    422,
    {
      error: "The record is no longer valid for its resource",
      ...{ resource: "products", id: ids.get(name) },
      issues: [{ path: field, message: expect.any(String) }],
    },
  ]);
  expect((await ada.get(`${path(name)}?trash=only`)).status).toBe(200);
}

test("records are restored under new names, without removed fields, with defaults of new ones", async () => {
  const trashed = await ada.get<Record<string, unknown>>(`${path("whole")}?trash=only`);
  const values = { name: "Tea", state: "published", tag: "whole", label: "short", placeId: place };
  expect(trashed.body).toMatchObject({ ...values, codes: [], words: [], days: [] });
  const reply = await restore("whole");
  expect(reply.status, reply.text).toBe(200);
  const { id, createdAt, updatedAt, ...record } = reply.body;
  expect(id).toBe(ids.get("whole"));
  expect(record).toEqual({
    ...{ ...values, code: null, price: null, size: 3, colour: "red" },
    ...{ codes: [], words: ["new"], days: [] },
  });
  expect(String(createdAt) < String(updatedAt)).toBe(true);
  const lines = await ada.list(`/lines?filter[productId]=${id}`);
  expect(lines.body.meta.total).toBe(1);
  expect((await ada.list(`/offers?filter[productId]=${id}`)).body.meta.total).toBe(1);
});

test("a value that has become too long, too great or missing is an issue of its field", async () => {
  await refused("narrower", "label");
  await refused("greater", "price");
  await refused("empty", "tag");
  await refused("homeless", "placeId");
});

test("a value of another kind is shown as null, and is an issue of its field", async () => {
  const trashed = await ada.get<Record<string, unknown>>(`${path("kind")}?trash=only`);
  expect(trashed.body.code).toBeNull();
  await refused("kind", "code");
  const list = await ada.get<Record<string, unknown>>(`${path("list")}?trash=only`);
  expect(list.body.days).toBeNull();
  await refused("list", "days");
});

test("a value that the enum no longer has is an issue of its field", async () => {
  expect((await ada.get(`${path("value")}?trash=only`)).status).toBe(200);
  await refused("value", "state");
});

test("of two records with a value that has become unique one is restored", async () => {
  expect((await restore("first")).status).toBe(200);
  const reply = await restore("second");
  expect(reply.status).toBe(409);
  expect(reply.body).toEqual({
    error: expect.any(String),
    ...{ resource: "products", id: ids.get("second"), field: "tag" },
  });
  expect((await ada.delete(path("first"))).status).toBe(204);
  expect((await restore("second")).status).toBe(200);
});

test("records that cannot be restored are still listed, sorted, filtered and deleted permanently", async () => {
  const list = await ada.list("/products?trash=only&sort=code,-state&perPage=100");
  expect(list.status, list.text).toBe(200);
  const filtered = await ada.list("/products?trash=only&filter[tag]=kind");
  expect(filtered.body.data.map(({ id }) => id)).toEqual([ids.get("kind")]);
  expect((await ada.delete(`${path("kind")}?trash=skip`)).status).toBe(204);
  expect((await ada.get(`${path("kind")}?trash=only`)).status).toBe(404);
});
