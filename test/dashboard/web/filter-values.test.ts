import { expect, test } from "vitest";
import type { Field } from "../../../runtime/dashboard/web/api/client/types.js";
import { valueFor } from "../../../runtime/dashboard/web/screens/list/filters/conditions.js";

test("a value is kept for another operator if it is valid there", () => {
  const status: Field = { name: "status", type: "enum", values: ["draft", "live"] };
  const soldOutAt: Field = { name: "soldOutAt", type: "timestamp" };
  const first = new Date(2026, 10, 21).toISOString();
  const last = new Date(new Date(2026, 10, 22).getTime() - 1).toISOString();
  expect(valueFor(status, "draft", { from: "eq", to: "in" })).toBe("draft");
  expect(valueFor(status, "live,draft", { from: "in", to: "ne" })).toBe("live");
  expect(valueFor(soldOutAt, "2026-11-21", { from: "day", to: "gte" })).toBe(first);
  expect(valueFor(soldOutAt, first, { from: "gte", to: "lte" })).toBe(last);
  expect(valueFor(soldOutAt, last, { from: "lte", to: "day" })).toBe("2026-11-21");
  expect(valueFor(soldOutAt, "2026-11-21", { from: "day", to: "days" })).toBe("7");
  expect(valueFor(soldOutAt, "7", { from: "days", to: "day" })).toBe("");
  expect(valueFor(soldOutAt, first, { from: "gte", to: "empty" })).toBe("");
});
