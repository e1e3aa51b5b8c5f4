import { fresh, make, makeProduct } from "./pages/record.js";
import { journey } from "./support/journey.js";

/** An order with one item. */
async function makeOrder(stage: Parameters<typeof make>[0]) {
  const product = await makeProduct(stage);
  const customer = await make(stage, "customers", {
    name: fresh("Ana"),
    email: `${fresh("ana").replace(" ", ".")}@example.com`,
  });
  const number = Math.floor(Math.random() * 1_000_000_000);
  const order = await make(stage, "orders", {
    number,
    customerId: customer.id,
    placedAt: "2026-11-01T10:00:00Z",
  });
  const item = await make(stage, "order-items", {
    orderId: order.id,
    productId: product.id,
    unitPrice: 3,
  });
  return { product, customer, order, item, number };
}

journey(
  "every linked value leads to its record, by click and by o",
  async ({ stage, open, notByTouch }) => {
    notByTouch("a key and new tabs; on a phone a row is one card, and its links are in the record");
    const as = await stage.person("Walks", "admin");
    const { product, order, customer, number } = await makeOrder(stage);
    const visit = await open({ as, at: `/data/order-items?filter[orderId]=${order.id}` });
    const { page } = visit;
    const name = String(product.name);
    await page.getByRole("row").getByRole("link", { name, exact: true }).waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("o");
    await page.waitForURL(`**/data/orders/${order.id}`);

    // In a form: beside the field, and from within it.
    const main = page.getByRole("main");
    const opener = main.getByRole("link", { name: `Open ${customer.name}` });
    await opener.waitFor();
    await visit.rest();
    const tab = visit.context.waitForEvent("page");
    await main.getByRole("combobox", { name: "Customer" }).focus();
    await page.keyboard.press("Control+o");
    await (await tab).waitForURL(`**/data/customers/${customer.id}`);
    await (await tab).close();
    await opener.click();
    await page.waitForURL(`**/data/customers/${customer.id}`);
    await page.goBack();

    // In a list of children.
    await main.getByRole("link", { name: /^Order items/ }).click();
    const cell = main.getByRole("cell").getByRole("link", { name, exact: true });
    await cell.focus();
    const other = visit.context.waitForEvent("page");
    await page.keyboard.press("Control+o");
    await (await other).waitForURL(`**/data/products/${product.id}`);
    await (await other).close();

    // The breadcrumb of a child shows its parent, and leads back to its list.
    await main.getByRole("link", { name: `${number} · ${name}` }).click();
    await page.waitForURL("**/data/order-items/*");
    const crumbs = main.getByRole("navigation", { name: "Breadcrumbs" });
    await visit.rest();
    await crumbs.getByRole("link", { name: `Order ${number}` }).click();
    await page.waitForURL(`**/data/orders/${order.id}/items`);
  },
);

journey("a new child shows what it will belong to", async ({ stage, open }) => {
  const as = await stage.person("Walks To New", "admin");
  const { order, number } = await makeOrder(stage);
  const path = `/data/order-items/new?orderId=${order.id}`;
  const visit = await open({ as, at: path, viewport: { width: 360, height: 740 }, hasTouch: true });
  const crumbs = visit.page.getByRole("navigation", { name: "Breadcrumbs" });
  await crumbs.getByRole("link", { name: `Order ${number}` }).waitFor();
  await visit.rest();
  await crumbs.getByRole("link", { name: `Order ${number}` }).tap();
  await visit.page.waitForURL(`**/data/orders/${order.id}/items`);
});
