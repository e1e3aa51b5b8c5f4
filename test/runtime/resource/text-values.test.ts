import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fields, openFields } from "../../support/apps/fields.js";
import { column, paths } from "../../support/apps/shop.js";
import type { Row } from "../../support/http/client.js";

let fields: Fields;
beforeAll(async () => {
  fields = await openFields();
});
afterAll(() => fields.shop.app.close());

test("a string holds any Unicode text up to its length in code points", async () => {
  await fields.takes(fields.customer, "name", "Zoë 👩‍🚀 \u202E\u0001 李雷");
  await fields.takes(fields.customer, "name", "😀".repeat(255));
  await fields.refuses(fields.customer, "name", ["😀".repeat(256), "x".repeat(256), "x", "😀"]);
});

test("a string refuses other types", async () => {
  await fields.refuses(fields.customer, "name", [1, true, null, [], {}, ["Ann"]]);
});

test("NUL and lone surrogates are refused in every kind of text", async () => {
  const hostile = [
    "a\u0000bcdefghijk",
    "a\uD800bcdefghijk",
    "a\uDC00bcdefghijk",
    "ab\uDC00\uD800cdefghijk",
  ];
  await fields.refuses(fields.customer, "name", hostile);
  await fields.refuses(fields.customer, "notes", hostile);
  await fields.refuses(fields.customer, "email", ["a\u0000@b.example", "a\uD800@b.example"]);
  await fields.refuses(fields.customer, "level", ["gold\u0000", "\uDFFF"]);
  await fields.refuses(fields.customer, "bornOn", ["2020-01-01\u0000"]);
  await fields.refuses(fields.order, "placedAt", ["2025-01-01T00:00:00Z\u0000"]);
  await fields.refuses(fields.order, "couponId", ["01890000-0000-7000-8000-00000000000\u0000"]);
  await fields.refuses(fields.review, "photo", ["\u0000", "\uD800"]);
});

test("NUL and lone surrogates in a key make it an unknown key", async () => {
  const reply = await fields.shop.admin.send("PATCH", fields.customer, {
    text: '{"a\\u0000":1,"b\\ud800":1}',
  });
  expect(reply.status).toBe(422);
});

test("an empty text is null if it is optional and refused if it is required", async () => {
  await fields.takes(fields.customer, "website", "", null);
  await fields.takes(fields.customer, "phone", "", null);
  await fields.takes(fields.customer, "notes", "", null);
  await fields.takes(fields.promotion, "title", "", null);
  await fields.refuses(fields.customer, "name", [""]);
  await fields.refuses(fields.customer, "email", [""]);
  await fields.refuses(fields.review, "body", [""]);
});

test("a text has its own limits", async () => {
  await fields.takes(fields.customer, "notes", "€".repeat(2000));
  await fields.refuses(fields.customer, "notes", ["€".repeat(2001), "ab", 5]);
});

/** Two forms of one text, and one that NFC would change although people are called so. */
const composed = "Caf\u00e9 \u1e9b\u0323";
const decomposed = "Cafe\u0301 \u017f\u0323\u0307";
const kept = "\uf9d0\u{2f81a} \uac00";

test("strings and texts are stored in NFC, whose length is checked; compatibility ideographs stay", async () => {
  expect(decomposed.normalize("NFC")).toBe(composed);
  for (const field of ["name", "notes"]) {
    await fields.takes(fields.customer, field, decomposed, composed);
    await fields.takes(fields.customer, field, kept, kept);
    await fields.takes(fields.customer, field, `${kept}\u1100\u1161`, `${kept}\uac00`);
  }
  await fields.takes(fields.customer, "name", "e\u0301".repeat(255), "\u00e9".repeat(255));
  await fields.refuses(fields.customer, "name", ["e\u0301"]);
});

test("every way to write stores NFC, so that equal texts are one if they are unique", async () => {
  const { admin } = fields.shop;
  const position = (at: number) => ({ name: decomposed, position: at });
  const first = await admin.post<Row>("/categories", position(1));
  expect(first.body).toMatchObject({ name: composed });
  expect(paths(await admin.post("/categories", { name: composed }))).toEqual(["name"]);
  const joined = await Promise.all(
    ["Ke\u0301fir", "K\u00e9fir"].map((name) => admin.post("/categories", { name })),
  );
  // 409 if the value was free when it was checked.
  expect([
    [201, 409],
    [201, 422],
  ]).toContainEqual(joined.map(({ status }) => status).sort());
  const path = `/categories/${first.body.id}`;
  expect((await admin.put<Row>(path, position(2))).body).toMatchObject({ name: composed });
  const upsert = { upsert: "categories", by: "name", values: position(3) };
  const batch = await admin.post<{ results: { id: string }[] }>("/_service/batch", {
    operations: [upsert, { create: "categories", values: { name: "Mate\u0301" } }],
  });
  expect(batch.status, batch.text).toBe(200);
  expect((await admin.get<Row>(path)).body).toMatchObject({ name: composed, position: 3 });
  expect(await column(admin, "/categories?filter[name]=Mat%C3%A9", "name")).toEqual(["Mat\u00e9"]);
});

test("texts of conditions are normalised to NFC too", async () => {
  const { admin } = fields.shop;
  await fields.takes(fields.customer, "name", decomposed, composed);
  const found = (query: string) => column(admin, `/customers?${query}`, "name");
  const sought = encodeURIComponent(decomposed);
  const whereOf = (name: unknown) => `where=${encodeURIComponent(JSON.stringify({ name }))}`;
  for (const query of [
    `filter[name]=${sought}`,
    `filter[name][in]=x,${sought}`,
    `filter[name][gte]=${sought}&filter[name][lte]=${sought}`,
    `filter[name][contains]=${sought}`,
    `q=${sought}`,
    whereOf(decomposed),
    whereOf({ in: [decomposed] }),
    whereOf({ starts: decomposed }),
  ]) {
    expect(await found(query), query).toEqual([composed]);
  }
  expect(await found(`filter[name][ne]=${sought}`)).toEqual([]);
  expect(await found(`filter[name]=${encodeURIComponent("\ufb01")}`)).toEqual([]);
});

test("with trim, white space at both ends is removed before anything else is checked", async () => {
  const white = " \t\r\n\u00a0\u3000\ufeff";
  await fields.takes(fields.promotion, "title", `${white}Green  tea${white}`, "Green  tea");
  await fields.takes(fields.promotion, "title", white, null);
  await fields.takes(fields.promotion, "title", `${" ".repeat(300)}x`, "x");
  await fields.takes(fields.coupon, "code", "  ABCD\n", "ABCD");
  await fields.refuses(fields.coupon, "code", ["    ", " AB ", "AB CD"]);
  const { admin } = fields.shop;
  expect(paths(await admin.post("/coupons", { code: " ABCD " }))).toEqual(["code"]);
  const upsert = { upsert: "coupons", by: "code", values: { code: " ABCD", discount: 1 } };
  await admin.post("/_service/batch", { operations: [upsert] });
  expect((await admin.get<Row>(fields.coupon)).body).toMatchObject({ code: "ABCD", discount: 1 });
  await fields.takes(fields.customer, "name", " Ann ");
});

test("a pattern must match the whole value", async () => {
  await fields.takes(fields.customer, "phone", "+49 30 1234");
  await fields.refuses(fields.customer, "phone", [
    "x+49 30 1234",
    "+49 30 1234x",
    "+49 30 1234\n",
    "+0 30 1234",
  ]);
  await fields.refuses(fields.coupon, "code", ["abcd", "ABC-D", "ABC", "A".repeat(21)]);
});

test("the formats email and url are checked", async () => {
  await fields.takes(fields.customer, "email", "first.last+tag@sub.domain.example");
  await fields.takes(fields.customer, "email", "Stanisław.Wójcik@wp.pl");
  await fields.takes(fields.customer, "email", "用户@例子.广告");
  await fields.refuses(fields.customer, "email", [
    "a",
    "a@",
    "@b.example",
    "a b@c.example",
    "a@b@c.example",
  ]);
  await fields.takes(fields.customer, "website", "https://example.com:8080/a/b?c=d#e");
  await fields.refuses(fields.customer, "website", [
    "example",
    "//example.com",
    "http://",
    "https://exa mple.com",
  ]);
});

test("an enum accepts its values only, exactly", async () => {
  await fields.takes(fields.review, "mood", "so-so");
  await fields.takes(fields.review, "mood", null);
  await fields.refuses(fields.review, "mood", [
    "",
    "HAPPY",
    "happy ",
    "sad",
    1,
    ["happy"],
    "toString",
  ]);
});

test("SQL in a text is text", async () => {
  for (const sql of [
    "'; drop table customers; --",
    '"; select 1; --',
    "\\'; --",
    "$1 $$ :name ?",
    "{{}}",
  ]) {
    await fields.takes(fields.customer, "name", sql);
    await fields.takes(fields.customer, "notes", sql);
    const query = `filter[name]=${encodeURIComponent(sql)}`;
    expect((await fields.shop.admin.list(`/customers?${query}`)).body.meta.total).toBe(1);
    const search = `q=${encodeURIComponent(sql)}`;
    expect((await fields.shop.admin.list(`/customers?${search}`)).body.meta.total).toBe(1);
  }
  await fields.refuses(fields.order, "customerId", ["'; drop table customers; --"]);
  await fields.refuses(fields.customer, "level", ["' or 1=1 --"]);
});
