import { expect, test } from "vitest";
import type { Field } from "../../../runtime/dashboard/web/api/client/types.js";
import { valueFor } from "../../../runtime/dashboard/web/screens/list/filters/conditions.js";

test("a value is kept for another operator if it is valid there", () => {
  const status: Field = { name: "status", type: "enum", values: ["draft", "live"] };
  const soldOutAt: Field = { name: "soldOutAt", type: "timestamp" };
  const first = new Date(2026, 10, 21).toISOString();
  const last = new Date(new Date(2026, 10, 22).getTime() - 1).toISOString();
  expect(valueFor(status, "draft", "eq", "in")).toBe("draft");
  expect(valueFor(status, "live,draft", "in", "ne")).toBe("live");
  expect(valueFor(soldOutAt, "2026-11-21", "day", "gte")).toBe(first);
  expect(valueFor(soldOutAt, first, "gte", "lte")).toBe(last);
  expect(valueFor(soldOutAt, last, "lte", "day")).toBe("2026-11-21");
  expect(valueFor(soldOutAt, "2026-11-21", "day", "days")).toBe("7");
  expect(valueFor(soldOutAt, "7", "days", "day")).toBe("");
  expect(valueFor(soldOutAt, first, "gte", "empty")).toBe("");
});
