import { expect, test } from "vitest";
import type { Resource } from "../../../runtime/dashboard/web/api/client/types.js";
import {
  idOf,
  ordered,
  readBlock,
  shownBlocks,
  without,
} from "../../../runtime/dashboard/web/home/blocks.js";
import { ofInterest } from "../../../runtime/dashboard/web/screens/home/ranking.js";

const [a, b, c] = ["a", "b", "c"].map((id) => ({ id, kind: "new", resource: id }));
const unnamed = { kind: "new", resource: "products" };

test("a home shows the account's blocks, else the shared ones, else an overview", () => {
  const overview = [{ id: "overview", kind: "overview" }];
  expect(shownBlocks({ own: null, shared: null })).toEqual(overview);
  expect(shownBlocks({ own: null, shared: [] })).toEqual([]);
  expect(shownBlocks({ own: [], shared: overview })).toEqual([]);
});

test("blocks are ordered by their ids, and those that are not named stay behind them", () => {
  expect(
    ordered(
      [a, b, c].flatMap((one) => one ?? []),
      ["c", "x", "a"],
    ),
  ).toEqual([c, a, b]);
  expect(ordered([unnamed, { kind: "overview" }], ["#1", "#0"])).toEqual([
    { kind: "overview" },
    unnamed,
  ]);
});

test("a block without an id is known by its place", () => {
  expect([unnamed, { ...unnamed, id: 1 }, { ...unnamed, id: "x" }].map(idOf)).toEqual([
    "#0",
    "#1",
    "x",
  ]);
  expect(without([unnamed, unnamed], "#1")).toEqual([unnamed]);
});

test("blocks of other versions are not read", () => {
  const list = { resource: "products", search: "q=tea", name: null };
  expect(readBlock({ id: "1", kind: "overview", more: 1 })).toEqual({ kind: "overview" });
  expect(readBlock({ id: "1", kind: "records", ...list, columns: ["name", 1] })).toEqual({
    kind: "records",
    ...list,
    columns: ["name"],
  });
  expect(readBlock({ kind: "figure", ...list, name: 1, measure: "max.price" })).toEqual({
    kind: "figure",
    ...list,
    measure: "max.price",
  });
  for (const other of [
    {},
    { kind: "new" },
    { kind: "values", resource: "products" },
    { kind: "chart", resource: "products", measure: "count" },
    { kind: "records", resource: "products" },
    { kind: "figure", ...list },
    { kind: "poem", ...list },
  ]) {
    expect([other, readBlock(other)]).toEqual([other, null]);
  }
});

test("resources that only link others are of no interest", () => {
  const resource = (name: string, fields: readonly object[], more: object = {}) =>
    ({ name, label: name, fields, ...more }) as unknown as Resource;
  const link = (name: string) => ({ name, type: "belongsTo", resource: "others" });
  const kept = [
    resource("products", [{ name: "name" }, link("categoryId")]),
    resource("lines", [link("orderId"), link("productId"), { name: "quantity" }]),
    resource("marks", [link("productId")]),
    resource("empty", []),
    resource("teams", [{ name: "name" }], { owner: { link: "id", through: "members" } }),
  ];
  const left = [
    resource("pairs", [link("productId"), link("tagId")]),
    resource("members", [link("teamId"), link("userId"), { name: "role" }]),
  ];
  expect(ofInterest([...kept, ...left])).toEqual(kept);
});
