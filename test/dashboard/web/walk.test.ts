import { expect, test } from "vitest";
import {
  forgetOpened,
  openedRecords,
  rememberOpened,
} from "../../../runtime/dashboard/web/place/recent.js";
import {
  keepWalk,
  leaveWalk,
  neighboursIn,
  walkWith,
} from "../../../runtime/dashboard/web/place/walk.js";

test("a record's neighbours are those of the list that it was opened from", () => {
  keepWalk("me", "products", ["a", "b", "c"]);
  const of = (id: string) => neighboursIn(walkWith("me", "products", id), id);
  expect(of("a")).toEqual({ before: undefined, after: "b" });
  expect(of("b")).toEqual({ before: "a", after: "c" });
  expect(of("elsewhere")).toEqual({ before: undefined, after: undefined });
  leaveWalk("me", "products", "b");
  expect(of("a")).toEqual({ before: undefined, after: "c" });
  expect(walkWith("somebody else", "products", "a")).toEqual([]);
});

test("the lists of a few resources are remembered, the newest of them", () => {
  for (let at = 0; at < 100; at += 1) keepWalk("me", `resource-${at}`, ["a"]);
  const known = Array.from(
    { length: 100 },
    (_, at) => walkWith("me", `resource-${at}`, "a").length,
  );
  expect(known.filter((length) => length > 0)).toHaveLength(20);
  expect(known.at(-1)).toBe(1);
});

test("a record that is gone is none of those opened last", () => {
  rememberOpened("me", { resource: "products", id: "a", title: "Tea" });
  rememberOpened("me", { resource: "products", id: "b", title: "Coffee" });
  forgetOpened("me", "a");
  expect(openedRecords("me").map(({ id }) => id)).toEqual(["b"]);
});
