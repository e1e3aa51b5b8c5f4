import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fields, openFields } from "../../support/apps/fields.js";

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

test("an empty text is null where it is optional and refused where it is required", async () => {
  await fields.takes(fields.customer, "website", "", null);
  await fields.takes(fields.customer, "phone", "", null);
  await fields.takes(fields.customer, "notes", "", null);
  await fields.takes(fields.promotion, "title", "", null);
  await fields.refuses(fields.customer, "name", [""]);
  await fields.refuses(fields.customer, "email", [""]);
  await fields.refuses(fields.review, "body", [""]);
});

test("a text keeps its own limits", async () => {
  await fields.takes(fields.customer, "notes", "€".repeat(2000));
  await fields.refuses(fields.customer, "notes", ["€".repeat(2001), "ab", 5]);
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

test("an enum takes its values only, exactly", async () => {
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
