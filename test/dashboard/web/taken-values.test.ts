import { expect, test } from "vitest";
import type { Field, Resource } from "../../../runtime/dashboard/web/api/client/types.js";
import { takenValuesOf } from "../../../runtime/dashboard/web/screens/record/form/taken-values.js";

const fields: readonly Field[] = [
  { name: "orderId", type: "belongsTo", resource: "orders" },
  { name: "productId", type: "belongsTo", resource: "products" },
  { name: "code", type: "string", unique: true },
  { name: "quantity", type: "number" },
];
const items: Resource = {
  name: "order-items",
  singular: "Order item",
  label: "Order items",
  path: "/api/order-items",
  fields,
  unique: [["orderId", "productId"]],
};
const mine = { orderId: "o", productId: "p", code: "c", quantity: "2" };
const same = "Another record has the same orderId and productId";

/** The values of each double in a form that was refused so. */
function doubles(refused: Readonly<Record<string, string>>, typed = mine, all = fields) {
  const state = { before: {}, mine: typed, touched: [], refused, together: [] };
  const record = { id: "i", orderId: "stored", productId: "stored" };
  return takenValuesOf(items, { fields: all, record }, state).map(({ values }) => values);
}

test("a taken value is looked up by itself, or together with others that are unique with it", () => {
  expect(doubles({ code: "Another record has this value" })).toEqual([{ code: "c" }]);
  expect(doubles({ orderId: same, productId: same })).toEqual([{ orderId: "o", productId: "p" }]);
  // The value was taken while it was sent: the first of the fields is named.
  expect(doubles({ orderId: "Taken" })).toEqual([{ orderId: "o", productId: "p" }]);
});

test("values refused for another reason are not looked up", () => {
  expect(doubles({ quantity: "At most 1" })).toEqual([]);
  expect(doubles({ productId: "No such record" })).toEqual([]);
  expect(doubles({ orderId: same, productId: same }, { ...mine, productId: "" })).toEqual([]);
});

test("a value that is not in the form is the stored one", () => {
  const [, ...others] = fields;
  expect(doubles({ productId: same }, mine, others)).toEqual([
    { orderId: "stored", productId: "p" },
  ]);
});

test("a duplicate of an unreadable value cannot be found", () => {
  const [first, ...others] = fields;
  const secret = first === undefined ? [] : [{ ...first, readable: false }];
  const all = [...secret, ...others];
  const state = {
    before: {},
    mine,
    touched: [],
    refused: { orderId: same, productId: same },
    together: [],
  };
  expect(takenValuesOf({ ...items, fields: all }, { fields: all, record: null }, state)).toEqual(
    [],
  );
});
