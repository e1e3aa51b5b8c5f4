import { afterAll, beforeAll, expect, test } from "vitest";
import { type Fields, openFields } from "../../support/apps/fields.js";
import { paths } from "../../support/apps/shop.js";

let fields: Fields;
beforeAll(async () => {
  fields = await openFields();
});
afterAll(() => fields.shop.app.close());

/** Sends a number as it is written, since JavaScript cannot hold all of them. */
function patchRaw(path: string, field: string, written: string) {
  return fields.shop.admin.send<Record<string, unknown>>("PATCH", path, {
    text: `{"${field}":${written}}`,
  });
}

test("an integer holds what JavaScript can hold exactly", async () => {
  await fields.takes(fields.promotion, "rank", Number.MAX_SAFE_INTEGER);
  await fields.takes(fields.promotion, "rank", Number.MIN_SAFE_INTEGER);
  await fields.takes(fields.promotion, "rank", null);
  await fields.refuses(fields.promotion, "rank", [2 ** 53, -(2 ** 53), 1.5, 1e300, "1", true, [1]]);
  await fields.refuses(fields.review, "rating", [0, 6, -1]);
});

test("a decimal is exact, and one with too many places is refused", async () => {
  const path = fields.promotion;
  for (const value of [0.1, 19.9999, 0.0001, -5.05, 99999999999.9999, -99999999999.9999, 12345]) {
    await fields.takes(path, "budget", value);
  }
  await fields.refuses(path, "budget", [
    0.00001,
    1.23456,
    9999999999.99999,
    100000000000,
    1e22,
    "1.5",
  ]);
  await fields.refuses(fields.customer, "balance", [0.1 + 0.2, -1000.01, 1000000.01]);
});

test("a decimal has at most 15 significant digits", async () => {
  const path = fields.product;
  await fields.takes(path, "price", 9999999999999.99);
  await fields.takes(path, "price", 123456789012345);
  await fields.refuses(path, "price", [1234567890123456, 1e16, 1e20, 1e300]);
  expect((await patchRaw(path, "price", "99999999999999.99")).status).toBe(422);
});

test("a double holds every finite number", async () => {
  const smallest = 2.2250738585072014e-308;
  for (const value of [0.1, 1 / 3, 1.7976931348623157e308, smallest, -1e-7, 5e-324]) {
    await fields.takes(fields.promotion, "boost", value);
  }
  await fields.refuses(fields.coupon, "discount", [-0.01, 1.01, "0.5", null]);
});

test("an invalid number, or one beyond any limit, is refused", async () => {
  for (const field of ["rank", "boost", "budget"]) {
    for (const written of ["1e400", "-1e400", '"NaN"', '"Infinity"']) {
      expect(paths(await patchRaw(fields.promotion, field, written))).toEqual([field]);
    }
    for (const written of ["NaN", "Infinity", "01", "1.", "0x10", "+1"]) {
      expect((await patchRaw(fields.promotion, field, written)).status).toBe(400);
    }
  }
});

test("minus zero is zero", async () => {
  for (const field of ["rank", "boost", "budget"]) {
    const reply = await patchRaw(fields.promotion, field, "-0");
    expect(reply.status, reply.text).toBe(200);
    expect(reply.body[field]).toBe(0);
  }
});

test("a boolean is true, false or, if optional, null", async () => {
  await fields.takes(fields.order, "gift", true);
  await fields.takes(fields.order, "gift", false);
  await fields.takes(fields.order, "gift", null);
  await fields.refuses(fields.order, "gift", ["true", "", 0, 1, []]);
  await fields.refuses(fields.customer, "newsletter", [null]);
});

test("a date is a day of the calendar, from year 1 to 9999", async () => {
  for (const day of ["0001-01-01", "9999-12-31", "2024-02-29", "2000-02-29"]) {
    await fields.takes(fields.customer, "bornOn", day);
  }
  const wrong = [
    "2023-02-29",
    "1900-02-29",
    "2024-13-01",
    "2024-04-31",
    "2024-00-10",
    "2024-01-00",
  ];
  const malformed = [
    "0000-01-01",
    "10000-01-01",
    "-001-01-01",
    "2024-1-2",
    "20240102",
    "2024-01-01T00:00:00Z",
  ];
  await fields.refuses(fields.customer, "bornOn", [
    ...wrong,
    ...malformed,
    "",
    "today",
    "infinity",
    "-infinity",
    20240101,
  ]);
});

test("a timestamp is truncated to milliseconds and returned in UTC", async () => {
  const cases = [
    ["2025-01-01T00:00:00Z", "2025-01-01T00:00:00.000Z"],
    ["2025-01-01T02:30:00.123456789+02:30", "2025-01-01T00:00:00.123Z"],
    ["2025-01-01T00:00:00.9999Z", "2025-01-01T00:00:00.999Z"],
    ["2024-12-31T23:59:59.5-14:00", "2025-01-01T13:59:59.500Z"],
    ["1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ];
  for (const [sent, stored] of cases) await fields.takes(fields.order, "placedAt", sent, stored);
});

test("a timestamp without offset, or that does not exist, is refused", async () => {
  const wrong = [
    "2025-02-30T00:00:00Z",
    "2025-01-01T24:00:00Z",
    "2025-01-01T00:60:00Z",
    "2025-13-01T00:00:00Z",
  ];
  const malformed = [
    "2025-01-01",
    "2025-01-01T00:00:00",
    "2025-01-01T00:00Z",
    "2025-01-01T00:00:00.1234567890Z",
  ];
  const beyond = ["0000-12-31T00:00:00Z", "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00"];
  const others = [
    "2025-01-01T00:00:00+25:00",
    "2025-01-01T00:00:00+0100",
    "now",
    "infinity",
    "",
    0,
    null,
  ];
  await fields.refuses(fields.order, "placedAt", [...wrong, ...malformed, ...beyond, ...others]);
});

test("a link accepts the id of an existing record", async () => {
  await fields.refuses(fields.order, "customerId", [
    "",
    "1",
    1,
    null,
    "01890000-0000-7000-8000-000000000000",
    {},
  ]);
  await fields.refuses(fields.order, "couponId", ["", "x", "01890000-0000-7000-8000-000000000000"]);
  await fields.refuses(fields.order, "couponId", [fields.order.replace("/orders/", "")]);
  await fields.takes(fields.order, "couponId", fields.coupon.replace("/coupons/", ""));
  await fields.takes(fields.order, "couponId", null);
});

test("an image or file accepts null, and no key that was not uploaded", async () => {
  await fields.takes(fields.review, "photo", null);
  await fields.takes(fields.review, "attachment", null);
  const keys = [
    "x",
    "reviews/photo/2025/01/01890000-0000-7000-8000-000000000000-a.webp",
    "../../etc/passwd",
  ];
  await fields.refuses(fields.review, "photo", [...keys, 1, {}, true]);
  await fields.refuses(fields.review, "attachment", [...keys, 1, {}]);
});
