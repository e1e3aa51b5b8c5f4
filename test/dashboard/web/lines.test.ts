import { expect, test } from "vitest";
import type { Field, Resource } from "../../../runtime/dashboard/web/api/client/types.js";
import {
  type Line,
  linesReducer,
  mostLines,
  operationOf,
} from "../../../runtime/dashboard/web/screens/record/form/lines/state.js";

const link: Field = { name: "orderId", type: "belongsTo", resource: "orders", required: true };
const quantity: Field = { name: "quantity", type: "number", required: true, integer: true };
const child: Resource = {
  name: "order-items",
  singular: "Order item",
  label: "Order items",
  path: "/order-items",
  fields: [link, quantity],
};
const fresh: Line = {
  key: "a",
  child,
  link,
  fields: [quantity],
  base: null,
  mine: { quantity: "2" },
  isRemoved: false,
  links: {},
  problem: null,
};
const base = { record: { id: "7", orderId: "1", quantity: 2 }, etag: '"x"' };
const stored: Line = { ...fresh, key: "7", base };

test("a new one is created with the link to its record, which may be new itself", () => {
  expect(operationOf(fresh, { ref: 0 })).toEqual({
    create: "order-items",
    values: { quantity: 2, orderId: { ref: 0 } },
  });
});

test("a stored one is changed or deleted with its tag as the condition", () => {
  expect(operationOf({ ...stored, mine: { quantity: "3" } }, "1")).toEqual({
    update: "order-items",
    id: "7",
    values: { quantity: 3 },
    ifMatch: '"x"',
  });
  expect(operationOf({ ...stored, isRemoved: true }, "1")).toEqual({
    delete: "order-items",
    id: "7",
    ifMatch: '"x"',
  });
});

test("an unchanged one is not written", () => {
  expect(linesReducer([], { kind: "put", line: stored })).toEqual([]);
  const changed = linesReducer([], { kind: "put", line: { ...stored, mine: { quantity: "3" } } });
  expect(changed).toHaveLength(1);
  expect(linesReducer(changed, { kind: "put", line: stored })).toEqual([]);
});

test("a new one that is removed is forgotten, a stored one is kept until the form is saved", () => {
  const lines = linesReducer([], { kind: "put", line: fresh });
  expect(linesReducer(lines, { kind: "removed", line: fresh })).toEqual([]);
  const removed = linesReducer([], { kind: "removed", line: stored });
  expect(removed).toMatchObject([{ key: "7", isRemoved: true }]);
  expect(linesReducer(removed, { kind: "restored", key: "7" })).toEqual([]);
  expect(linesReducer(removed, { kind: "saved", keys: ["7"] })).toEqual([]);
});

test("a refusal is shown at its row, until the next one", () => {
  const lines = [fresh, { ...stored, isRemoved: true }];
  const refused = linesReducer(lines, { kind: "refused", problems: { 7: "Still needed" } });
  expect(refused.map(({ problem }) => problem)).toEqual([null, "Still needed"]);
});

test("no more are kept than fit in one batch", () => {
  const lines = Array.from({ length: mostLines + 5 }, (_, at) => at).reduce<readonly Line[]>(
    (all, at) => linesReducer(all, { kind: "put", line: { ...fresh, key: String(at) } }),
    [],
  );
  expect(lines).toHaveLength(mostLines);
});
