import { expect, test } from "vitest";
import { newEventReader } from "../../../runtime/dashboard/web/api/changes/events.js";
import type { Resource } from "../../../runtime/dashboard/web/api/client/types.js";
import { wholeList } from "../../../runtime/dashboard/web/browser/address/list-address.js";
import {
  type ArrivalEvent,
  arrivalsReducer,
  mostAdded,
  nothingArrived,
} from "../../../runtime/dashboard/web/screens/list/live/arrivals.js";
import { watchedBy } from "../../../runtime/dashboard/web/screens/list/live/watched.js";
import { columnsOf } from "../../../runtime/dashboard/web/screens/list/rows/columns.js";
import { eventsIn, namesOf } from "../../../runtime/dashboard/web/screens/webhooks/events.js";

const shown = ["a", "b"];
const after = (...events: readonly ArrivalEvent[]) =>
  events.reduce(arrivalsReducer, nothingArrived);
const told = (op: "create" | "update" | "delete", id: string): ArrivalEvent => ({
  kind: "changed",
  changes: [{ op, id }],
  shown,
});

test("counts new records, and marks shown rows that were deleted", () => {
  expect(after(told("create", "c"), told("create", "c"), told("update", "a"))).toMatchObject({
    added: ["c"],
    gone: [],
  });
  expect(after(told("create", "c"), told("delete", "c"), told("delete", "a"))).toMatchObject({
    added: [],
    gone: ["a"],
  });
  // It came back.
  expect(after(told("delete", "a"), told("create", "a"))).toMatchObject({ added: [], gone: [] });
});

test("a load clears the changes known when it began, and none since", () => {
  const loaded: ArrivalEvent = { kind: "loaded", shown: ["c", "b"] };
  const state = after(
    ...[told("create", "c"), told("delete", "a"), { kind: "requested" } as const],
    ...[told("create", "d"), told("delete", "b"), loaded],
  );
  expect(state).toEqual({ added: ["d"], gone: ["b"], requested: [] });
  expect(
    after(
      told("create", "c"),
      { kind: "requested" },
      { kind: "failed" },
      { kind: "loaded", shown },
    ),
  ).toMatchObject({ added: ["c"] });
});

test("counts at most a fixed number", () => {
  const many = Array.from({ length: mostAdded + 5 }, (_, at) => told("create", `n${at}`));
  expect(after(...many).added).toHaveLength(mostAdded);
});

test("parses a stream that is split anywhere, and refuses an event without end", () => {
  const text =
    ':\n\nevent: ready\ndata: {"position":"p"}\nid: p\n\nevent: change\ndata: {"op":"create"}\n\n';
  for (let at = 0; at <= text.length; at += 1) {
    const read = newEventReader();
    expect([...read(text.slice(0, at)), ...read(text.slice(at))]).toEqual([
      { name: "ready", data: '{"position":"p"}', id: "p" },
      { name: "change", data: '{"op":"create"}', id: null },
    ]);
  }
  const read = newEventReader();
  expect(() => {
    for (let part = 0; part < 100; part += 1) read("x".repeat(10_000));
  }).toThrow("exceeds the maximum length");
});

test("a stream has no condition on a linked record, which it would refuse", () => {
  const orders: Resource = {
    name: "orders",
    singular: "Order",
    label: "Orders",
    path: "/api/orders",
    fields: [{ name: "number", type: "number" }],
    linkedFields: [{ name: "customer.name", type: "string" }],
  };
  const conditions = [
    { field: "customer.name", operator: "contains", value: "tea" },
    { field: "number", operator: "gt", value: "7" },
  ] as const;
  const watched = watchedBy(orders, { ...wholeList, conditions }, columnsOf(orders, null));
  expect(watched).toMatchObject({ where: { number: { gt: 7 } } });
});

test("a stream has the conditions of the list, with values as in JSON", () => {
  const resource: Resource = {
    ...{ name: "goods", singular: "Good", label: "Goods", path: "/api/goods", title: "name" },
    list: ["price"],
    fields: [
      { name: "name", type: "string" },
      { name: "price", type: "number" },
      { name: "sold", type: "boolean" },
      { name: "state", type: "enum", values: ["draft", "live"] },
    ],
  };
  const conditions = [
    { field: "price", operator: "lt", value: "30" },
    { field: "price", operator: "gte", value: "1.5" },
    { field: "sold", operator: "eq", value: "true" },
    { field: "name", operator: "ne", value: "" },
    { field: "sold", operator: "ne", value: "" },
    { field: "state", operator: "in", value: "draft,live" },
  ] as const;
  const asked = { ...wholeList, q: "tea", conditions };
  expect(watchedBy(resource, asked, columnsOf(resource, null))).toEqual({
    where: {
      price: { lt: 30, gte: 1.5 },
      sold: true,
      name: { ne: null },
      state: { in: ["draft", "live"] },
      and: [{ sold: { ne: null } }],
    },
    fields: ["name", "price"],
  });
  expect(watchedBy(resource, wholeList, columnsOf(resource, null))).toEqual({
    fields: ["name", "price"],
  });
});

test("events of webhooks have the shortest unambiguous names, and none is lost", () => {
  expect([...eventsIn(["goods.*", "shelves.created"])].sort()).toEqual([
    ...["goods.created", "goods.deleted", "goods.updated", "shelves.created"],
  ]);
  const names = ["goods.*", "shelves.created", "elsewhere.updated"];
  expect(namesOf(eventsIn(names), ["goods", "shelves"])).toEqual(names);
});
