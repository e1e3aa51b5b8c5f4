import { expect, test } from "vitest";
import {
  forgetInList,
  neighboursIn,
  rememberedList,
  rememberList,
} from "../../../runtime/dashboard/web/browser/storage/neighbours.js";
import {
  forgetOpened,
  openedRecords,
  rememberOpened,
} from "../../../runtime/dashboard/web/browser/storage/recent.js";

test("a record's neighbours are those of the list that it was opened from", () => {
  rememberList("me", "products", ["a", "b", "c"]);
  const of = (id: string) => neighboursIn(rememberedList("me", "products", id), id);
  expect(of("a")).toEqual({ before: undefined, after: "b" });
  expect(of("b")).toEqual({ before: "a", after: "c" });
  expect(of("elsewhere")).toEqual({ before: undefined, after: undefined });
  forgetInList("me", "products", "b");
  expect(of("a")).toEqual({ before: undefined, after: "c" });
  expect(rememberedList("somebody else", "products", "a")).toEqual([]);
});

test("the newest lists of a few resources are remembered", () => {
  for (let at = 0; at < 100; at += 1) rememberList("me", `resource-${at}`, ["a"]);
  const known = Array.from(
    { length: 100 },
    (_, at) => rememberedList("me", `resource-${at}`, "a").length,
  );
  expect(known.filter((length) => length > 0)).toHaveLength(20);
  expect(known.at(-1)).toBe(1);
});

test("a deleted record is removed from those opened last", () => {
  rememberOpened("me", { resource: "products", id: "a", title: "Tea" });
  rememberOpened("me", { resource: "products", id: "b", title: "Coffee" });
  forgetOpened("me", "a");
  expect(openedRecords("me").map(({ id }) => id)).toEqual(["b"]);
});
