import { expect, test } from "vitest";
import { productDefinition } from "../../../fixtures/apps/shop/generated/products/routes.js";
import type { Field } from "../../../runtime/dashboard/web/api/client/types.js";
import { kindOf } from "../../../runtime/dashboard/web/kinds/kinds.js";
import { numbersInFile } from "../../../runtime/dashboard/web/text/file-numbers.js";
import { cellValue } from "../../../runtime/data/read/value.js";
import { type Column, columnOf, createOfRow } from "../../../runtime/resource/index.js";
import { ownNotation } from "../../../runtime/values/csv/notation.js";

/** What `service import` says about a cell. */
function saidByCommand(key: string, cell: string): string | null {
  const { table } = productDefinition;
  const read = cellValue(columnOf(table, key) as Column, cell, ownNotation);
  if ("message" in read) return read.message;
  const row = { values: { [key]: read.value }, issues: [] };
  const { malformed } = createOfRow(productDefinition, row).checked;
  return malformed.find(({ path }) => path === key)?.message ?? null;
}

function saidByDashboard(field: Field, cell: string): string | null {
  const read = kindOf(field).readCell(field, cell, {
    ...ownNotation,
    numbers: numbersInFile("point"),
  });
  return read.kind === "problem" ? read.message : null;
}

const fields: Readonly<Record<string, Omit<Field, "name">>> = {
  name: { type: "string", required: true, maxLength: 120 },
  price: { type: "number", required: true, min: 0, decimals: 2 },
  stock: { type: "number", integer: true },
  active: { type: "boolean", required: true },
  status: { type: "enum", values: ["draft", "live", "gone"], required: true },
  releasedOn: { type: "date" },
  soldOutAt: { type: "timestamp" },
  categoryId: { type: "belongsTo", resource: "categories", required: true },
};

test.each([
  ["name", "x".repeat(121)],
  ["price", "many"],
  ["price", "1e999"],
  ["price", "-1"],
  ["price", "1.234"],
  ["stock", "few"],
  ["stock", "1.5"],
  ["stock", "9007199254740993"],
  ["active", "maybe"],
  ["active", "yes"],
  ["active", "1"],
  ["status", "sold"],
  ["releasedOn", "31.01.2026"],
  ["soldOutAt", "2026-01-31"],
  ["categoryId", "Tea"],
])("the dashboard refuses a %s of %j with the words of the command", (key, cell) => {
  const said = saidByCommand(key, cell);
  expect(said).not.toBeNull();
  expect(saidByDashboard({ name: key, ...fields[key] } as Field, cell)).toBe(said);
});
