import { expect } from "vitest";
import { api, field, make, save } from "./pages/record.js";
import { journeyOn } from "./support/journey.js";
import { openWrittenStage, sharedStage } from "./support/stage.js";

const schema = {
  type: "object",
  required: ["city"],
  additionalProperties: false,
  properties: {
    city: { type: "string", minLength: 2, title: "City" },
    floor: { type: "integer", maximum: 200 },
    kind: { enum: ["home", "office"] },
    isGift: { type: "boolean", title: "Gift" },
    place: { type: "object", properties: { lat: { type: "number" } } },
  },
};

const journey = journeyOn(() =>
  sharedStage("computed-json", () =>
    openWrittenStage({
      descriptors: new Map([
        [
          "orders.yaml",
          `title: name
fields:
  name: { type: string, required: true }
  price: { type: number, decimals: 2 }
  quantity: { type: number, integer: true }
  total: { type: number, decimals: 2, computed: "round(price * quantity, 2)" }
  shout: { type: string, computed: "upper(name) || 'price'" }
  address: { type: json, schema: ./address.json }
  extra: { type: json, schema: ./extra.json }
`,
        ],
      ]),
      files: new Map([
        ["address.json", JSON.stringify(schema)],
        ["extra.json", JSON.stringify({ type: "array", items: { type: "integer" } })],
      ]),
      settings:
        "auth: { check_breached_passwords: false, operators: [admin] }\nserver: { host: 127.0.0.1 }\n",
    }),
  ),
);

journey(
  "a computed value is grey once one of its inputs has changed, and current again after saving",
  async ({ stage, open }) => {
    const as = await stage.person("Counts", "admin");
    const order = await make(stage, "orders", { name: "Tea", price: 2.5, quantity: 4 });
    const { page } = await open({ as, at: `/data/orders/${order.id}` });
    const value = (label: string) =>
      page.locator(".values > div").filter({ has: page.getByText(label, { exact: true }) });
    await value("Total").getByText("10").waitFor();
    const note = page.getByText("Recalculated when you save.");
    expect(await note.count()).toBe(0);
    await field(page, "Quantity").fill("6");
    await value("Total").getByText("Recalculated when you save.").waitFor();
    expect(await note.count()).toBe(1);
    await field(page, "Quantity").fill("4");
    await note.waitFor({ state: "detached" });
    await field(page, "Quantity").fill("6");
    await save(page);
    await value("Total").getByText("15").waitFor();
    expect(await note.count()).toBe(0);
  },
);

journey(
  "an object of known fields is a form, and any other JSON a text",
  async ({ stage, open }) => {
    const as = await stage.person("Writes", "admin");
    const order = await make(stage, "orders", { name: "Pots" });
    const { page } = await open({ as, at: `/data/orders/${order.id}` });
    const address = page.getByRole("group", { name: "Address" });
    await address.getByLabel("City").fill("O");
    await address.getByLabel("floor").fill("300");
    await address.getByLabel("kind").selectOption("office");
    await address.getByLabel("Gift").selectOption("true");
    // Key by key: "59." and "59.0" mean no other number yet.
    await address.getByLabel("lat").pressSequentially("59.07");
    await address.getByText("At least 2 characters").first().waitFor();
    await address.getByLabel("City").fill("Oslo");
    await address.getByText("Must be at most 200").first().waitFor();
    await address.getByLabel("floor").fill("3");
    await page.getByLabel("Extra").fill('[1, "x"]');
    await page.getByLabel("Extra").blur();
    await page.getByText("1: Must be", { exact: false }).first().waitFor();
    await page.getByLabel("Extra").fill("[1, 2]");
    await save(page);
    await page.getByText("Pots saved").waitFor();
    const stored = await api(stage, "GET", `/orders/${order.id}`);
    expect(stored.body).toMatchObject({
      address: { city: "Oslo", floor: 3, kind: "office", isGift: true, place: { lat: 59.07 } },
      extra: [1, 2],
    });
    // As text, and back.
    await address.getByRole("button", { name: "Edit as text" }).click();
    await page.getByLabel("Address").fill('{ "city": "Bergen" }');
    await page.getByRole("button", { name: "Edit as a form" }).click();
    expect(await address.getByLabel("City").inputValue()).toBe("Bergen");
  },
);
