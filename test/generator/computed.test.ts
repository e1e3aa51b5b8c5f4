import { join } from "node:path";
import { expect, test } from "vitest";
import { findDescriptors } from "../../generator/descriptor/find.js";
import { readDescriptors } from "../../generator/descriptor/read.js";
import { computedRemarks } from "../../generator/resolve/computed.js";
import { resolveModel } from "../../generator/resolve/resolve.js";

test("generate warns of a computed field that shows what fewer callers may read", () => {
  const folder = join(import.meta.dirname, "../../fixtures/cases/computed");
  const { model } = resolveModel(readDescriptors(findDescriptors(folder)), null);
  expect(model && computedRemarks(model)).toEqual([
    "lines.margin is computed from lines.cost, which fewer callers may read",
  ]);
});
