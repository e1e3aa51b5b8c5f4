import { afterAll, beforeAll, expect, test } from "vitest";
import { startWrittenApp, type WrittenApp } from "../support/apps/written-app.js";
import type { Client } from "../support/http/client.js";

let app: WrittenApp;
let admin: Client;

beforeAll(async () => {
  app = await startWrittenApp({
    descriptors: new Map([
      [
        "products.yaml",
        `fields:
  code: { type: string, unique: any-case, maxLength: 40 }
  motto: { type: string, unique: any-case, maxLength: 2000 }
  name: { type: string, unique: true }
  price: { type: number }
`,
      ],
      ["lines.yaml", "fields: { productId: { type: belongsTo, resource: products } }\n"],
    ]),
  });
  admin = (await app.caller("admin")).client;
});
afterAll(() => app?.close());

const taken = (path: string) => ({
  status: 422,
  body: { issues: [{ path, message: "Another record has this value" }] },
});

test("a value that differs in case alone is refused, and stored as sent", async () => {
  const made = await admin.post("/products", { code: "Grüner Tee" });
  expect(made).toMatchObject({ status: 201, body: { code: "Grüner Tee" } });
  expect(await admin.post("/products", { code: "GRÜNER TEE" })).toMatchObject(taken("code"));
  expect((await admin.post("/products", { code: "Gruner Tee" })).status).toBe(201);
  const other = await admin.post("/products", { code: null, motto: "ΟΔΟΣ" });
  expect(await admin.patch(`/products/${other.body.id}`, { code: "grüner tee" })).toMatchObject(
    taken("code"),
  );
  expect(await admin.post("/products", { motto: "οδος" })).toMatchObject(taken("motto"));
  const same = await admin.patch(`/products/${made.body.id}`, { code: "GRÜNER Tee" });
  expect(same).toMatchObject({ status: 200, body: { code: "GRÜNER Tee" } });
  expect((await admin.post("/products", { name: "x" })).status).toBe(201);
  expect((await admin.post("/products", { name: "X" })).status).toBe(201);
});

test("one of two concurrent writers of a value in different cases wins", async () => {
  const replies = await Promise.all(
    ["Race", "RACE", "race", "rAcE"].map((code) => admin.post("/products", { code })),
  );
  expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
});

test("same finds a record in any case, and equality does not", async () => {
  const { body: made } = await admin.post("/products", { code: "Assam", motto: "Strong" });
  const found = async (query: string) => {
    const { status, body } = await admin.list(`/products?${query}`);
    return status === 200 ? body.data.map(({ id }) => id) : status;
  };
  const where = (value: object) => `where=${encodeURIComponent(JSON.stringify(value))}`;
  expect(await found("filter[code][same]=ASSAM")).toEqual([made.id]);
  expect(await found("filter[code][same]=assam&filter[motto][same]=STRONG")).toEqual([made.id]);
  expect(await found("filter[code]=ASSAM")).toEqual([]);
  expect(await found("filter[code]=Assam&filter[motto]=Strong")).toEqual([made.id]);
  expect(await found(where({ code: { same: "aSSAM" } }))).toEqual([made.id]);
  expect(await found(where({ not: { code: { same: "aSSAM" } }, motto: "Strong" }))).toEqual([]);
  await admin.post("/lines", { productId: made.id });
  const lines = await admin.list(`/lines?${where({ product: { code: { same: "ASSAM" } } })}`);
  expect(lines.body.data).toHaveLength(1);
  for (const wrong of [
    "filter[code][same]=",
    "filter[name][same]=x",
    "filter[price][same]=1",
    where({ code: { same: "" } }),
    where({ code: { same: null } }),
    where({ name: { same: "x" } }),
  ]) {
    expect(await found(wrong)).toBe(400);
  }
});

test("an upsert finds the record in any case", async () => {
  const { body: made } = await admin.post("/products", { code: "Darjeeling", price: 1 });
  const upsert = { upsert: "products", by: "code", values: { code: "DARJEELING", price: 2 } };
  const { status, body } = await admin.post<{ data: object[] }>("/_service/batch", {
    operations: [upsert, { ...upsert, values: { code: "darjeeling", price: 3 } }],
  });
  expect({ status, data: body.data }).toMatchObject({
    status: 200,
    data: [{ id: made.id }, { id: made.id, code: "darjeeling", price: 3 }],
  });
});
