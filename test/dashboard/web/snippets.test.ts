import { expect, test } from "vitest";
import type { Resource } from "../../../runtime/dashboard/web/api/client/types.js";
import { clientOf, curlOf } from "../../../runtime/dashboard/web/screens/api/snippets.js";

const resource: Resource = {
  name: "order-items",
  singular: "Order item",
  label: "Order items",
  path: "/api/order-items",
  fields: [
    { name: "price", type: "number" },
    { name: "active", type: "boolean" },
    { name: "status", type: "enum", values: ["open", "paid"] },
    { name: "or", type: "string" },
  ],
};

test("writes a list as the call of the client, with values of their kinds", () => {
  const params = [
    ["filter[price][gte]", "1.5"],
    ["filter[price][lt]", "30"],
    ["filter[active]", "true"],
    ["filter[status][in]", "open,paid"],
    ["filter[or]", ""],
    ["q", "tea"],
    ["sort", "-price,status"],
  ] as const;
  expect(clientOf(resource, params)).toBe(`const { data, meta } = await api.orderItems.list({
  where: {
    price: {
      gte: 1.5,
      lt: 30,
    },
    active: true,
    status: {
      in: [
        "open",
        "paid",
      ],
    },
    "field:or": null,
  },
  q: "tea",
  sort: [
    "-price",
    "status",
  ],
});`);
  expect(clientOf(resource, [])).toBe("const { data, meta } = await api.orderItems.list({});");
});

test("no part of an address ends the quotes of a shell", () => {
  const curl = curlOf(resource.path, [["q", "it's $HOME `id`"]]);
  expect(curl).toBe(
    'curl -H "Authorization: Bearer $SERVICE_TOKEN" \\\n' +
      "  \"$API_URL\"'/api/order-items?q=it%27s+%24HOME+%60id%60'",
  );
});
