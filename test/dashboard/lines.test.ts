import type { Page } from "playwright-core";
import { expect } from "vitest";
import { api, field, fresh, make, makeProduct, pick, save } from "./pages/record.js";
import { journey, journeyOn } from "./support/journey.js";
import { long } from "./support/many.js";
import { linesJourney } from "./support/shop-with-lines.js";
import { openWrittenStage, type Stage, sharedStage } from "./support/stage.js";

async function makeOrder(stage: Stage) {
  const [tea, cake] = [await makeProduct(stage), await makeProduct(stage)];
  const customer = await make(stage, "customers", {
    name: fresh("Ben"),
    email: `${fresh("ben").replace(" ", ".")}@example.com`,
  });
  const number = Math.floor(Math.random() * 1_000_000_000);
  const order = await make(stage, "orders", {
    number,
    customerId: customer.id,
    placedAt: "2026-11-01T10:00:00Z",
  });
  return { tea, cake, customer, order, number };
}

async function itemsOf(stage: Stage, order: unknown) {
  const path = `/order-items?filter[orderId]=${order}&sort=createdAt&fields=productId,quantity`;
  const { body } = await api(stage, "GET", path);
  const { data } = body as { data: readonly { productId: string; quantity: number }[] };
  return data.map(({ productId, quantity }) => [productId, quantity]);
}

const rows = (page: Page) => page.getByRole("region", { name: "Order items", exact: true });
const drawer = (page: Page) => page.getByRole("dialog");

async function addItem(page: Page, product: string, quantity: string): Promise<void> {
  await rows(page).getByRole("button", { name: "New order item", exact: true }).click();
  await drawer(page).getByRole("combobox", { name: "Product" }).fill(product);
  await drawer(page).getByRole("option", { name: product }).first().click();
  await drawer(page).getByLabel("Quantity").fill(quantity);
  await drawer(page).getByLabel("Unit price").fill("2");
  await drawer(page).getByRole("button", { name: "Done" }).click();
  await drawer(page).waitFor({ state: "detached" });
}

linesJourney(
  "items are written below their order, and saved with it in one batch",
  long,
  async ({ stage, open }) => {
    const as = await stage.person("Writes Lines", "admin");
    const { tea, cake, order, number } = await makeOrder(stage);
    await make(stage, "order-items", { orderId: order.id, productId: tea.id, unitPrice: 3 });
    const visit = await open({ as, at: `/data/orders/${order.id}` });
    const { page } = visit;
    const written: string[] = [];
    page.on("request", (request) => {
      if (request.method() !== "GET") written.push(new URL(request.url()).pathname);
    });
    await rows(page)
      .getByRole("button", { name: /^Edit / })
      .click();
    await drawer(page).getByLabel("Quantity").fill("0");
    await drawer(page).getByRole("button", { name: "Done" }).click();
    await drawer(page)
      .getByText(/at least 1/i)
      .first()
      .waitFor();
    await visit.rest();
    await drawer(page).getByLabel("Quantity").fill("5");
    await page.keyboard.press("Enter");
    await rows(page).getByText("changed", { exact: true }).waitFor();
    await addItem(page, String(cake.name), "2");
    await rows(page).getByText("new", { exact: true }).waitFor();
    await page.getByText("2 rows below changed, not kept in a draft").waitFor();
    await field(page, "Message").fill("Soon, please");
    await visit.rest();
    await page.keyboard.press("Control+s");
    await page.getByText(`${number} saved`).waitFor();
    expect(written).toEqual(["/api/_service/batch"]);
    expect(await itemsOf(stage, order.id)).toEqual([
      [tea.id, 5],
      [cake.id, 2],
    ]);
    await rows(page).getByText("new", { exact: true }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText(`${number} is as before`).waitFor();
    expect(await itemsOf(stage, order.id)).toEqual([[tea.id, 1]]);
    await expect.poll(() => field(page, "Message").inputValue()).toBe("");

    // Removed, kept again, removed: it goes with the next save.
    await rows(page)
      .getByRole("button", { name: /^Remove / })
      .click();
    await rows(page)
      .getByRole("button", { name: /^Keep / })
      .click();
    await rows(page)
      .getByRole("button", { name: /^Remove / })
      .click();
    await rows(page).getByText("to be deleted").waitFor();
    await save(page);
    await page.getByText("Order items: none yet.").waitFor();
    expect(await itemsOf(stage, order.id)).toEqual([]);
  },
);

linesJourney(
  "a new order is saved with its items, or not at all",
  long,
  async ({ stage, open }) => {
    const as = await stage.person("Orders New", "admin");
    const { tea, customer } = await makeOrder(stage);
    const visit = await open({ as, at: "/data/orders/new" });
    const { page } = visit;
    const number = String(Math.floor(Math.random() * 1_000_000_000));
    await field(page, "Number").fill(number);
    await pick(page, "Customer", String(customer.name));
    await field(page, "Placed at").fill("2026-11-21T15:02");
    await addItem(page, String(tea.name), "3");
    await addItem(page, String(tea.name), "4");
    await save(page);
    await page.getByText("Rows below need attention.").waitFor();
    await visit.rest();
    const found = await api(stage, "GET", `/orders?filter[number]=${number}`);
    expect(found.body).toMatchObject({ meta: { total: 0 } });
    await rows(page)
      .getByRole("button", { name: /^Remove / })
      .last()
      .click();
    await save(page);
    await page.waitForURL(/\/data\/orders\/[\da-f-]{36}$/);
    const id = new URL(page.url()).pathname.split("/").at(-1);
    expect(await itemsOf(stage, id)).toEqual([[tea.id, 3]]);
  },
);

linesJourney("items are added by touch on a telephone", long, async ({ stage, open }) => {
  const as = await stage.person("Taps Lines", "admin");
  const { tea, order } = await makeOrder(stage);
  const visit = await open({
    as,
    at: `/data/orders/${order.id}`,
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
  });
  const { page } = visit;
  await addItem(page, String(tea.name), "2");
  await visit.rest();
  await page.getByRole("button", { name: "Save", exact: true }).tap();
  await expect.poll(() => itemsOf(stage, order.id)).toEqual([[tea.id, 2]]);
});

journey(
  "records that stay when the record is deleted are not rows of its form, but have a tab",
  async ({ stage, open }) => {
    const as = await stage.person("Without Lines", "admin");
    const { tea, order } = await makeOrder(stage);
    await make(stage, "order-items", { orderId: order.id, productId: tea.id, unitPrice: 3 });
    const { page } = await open({ as, at: `/data/orders/${order.id}` });
    await page.getByRole("link", { name: "Order items 1" }).waitFor();
    expect(await rows(page).count()).toBe(0);
    await page.getByRole("link", { name: "Order items 1" }).click();
    await rows(page).getByText("3.00").waitFor();
  },
);

/** A person with thirty kinds of records. */
const thirty = journeyOn(() =>
  sharedStage("thirty-inverses", () =>
    openWrittenStage({
      descriptors: new Map([
        ["people.yaml", "label: People\ntitle: name\nfields:\n  name: { type: string }\n"],
        // In the order of their names, as resources are.
        ...Array.from({ length: 30 }, (_, at): [string, string] => {
          const number = String(at + 1).padStart(2, "0");
          const link = `{ type: belongsTo, resource: people, inverse: kept${number} }`;
          return [`kept-${number}.yaml`, `label: Kept ${number}\nfields:\n  personId: ${link}\n`];
        }),
      ]),
    }),
  ),
);

thirty("of thirty kinds of related records six have a tab", long, async ({ stage, open }) => {
  const { id } = await make(stage, "people", { name: fresh("Many") });
  await make(stage, "kept-28", { personId: id });
  const as = await stage.person("Tabs", "admin");
  const visit = await open({ as, at: `/data/people/${id}` });
  const { page } = visit;
  const tabs = page.getByRole("navigation", { name: "Person" });
  await tabs.getByRole("link", { name: "Kept 06 0" }).waitFor();
  expect(await tabs.getByRole("link").count()).toBe(7);
  await tabs.getByRole("button", { name: "More related records" }).click();
  await page.getByRole("menuitem", { name: "Kept 28 1" }).click();
  await page.getByRole("region", { name: "Kept 28" }).waitFor();
  expect(await tabs.getByRole("link", { name: "Kept 28 1" }).getAttribute("aria-current")).toBe(
    "page",
  );
  expect(await tabs.getByRole("link").count()).toBe(8);
});
