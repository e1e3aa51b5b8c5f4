import { expect, test } from "vitest";
import { listedText } from "../../../runtime/mcp/tools/listed.js";

const resource = (name: string) => ({ name, fields: [{ name: "x".repeat(1000) }], can: {} });

test("a few resources are listed with their fields, a hundred without", () => {
  const few = [resource("orders"), resource("customers")];
  expect(JSON.parse(listedText(few))).toEqual({ data: few });
  const many = Array.from({ length: 100 }, (_, at) => resource(`resource-${at}`));
  expect(JSON.parse(listedText(many))).toEqual({
    data: many.map(({ name, can }) => ({ name, can })),
  });
});
