import { expect } from "vitest";
import { fresh, make, makeProduct } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey(
  "records without a text are named by their links, else by the end of an id",
  async ({ stage, open }) => {
    const product = await makeProduct(stage);
    const customer = await make(stage, "customers", {
      name: fresh("Named"),
      email: `${fresh("named").replaceAll(" ", "")}@example.com`,
    });
    const number = 5_000_000 + Math.floor(Math.random() * 100_000);
    const placedAt = "2026-01-01T00:00:00Z";
    const order = await make(stage, "orders", { number, customerId: customer.id, placedAt });
    const item = await make(stage, "order-items", {
      orderId: order.id,
      productId: product.id,
      quantity: 1,
      unitPrice: 2,
    });
    const review = await make(stage, "reviews", {
      productId: product.id,
      rating: 5,
      body: "Long enough a body.",
    });
    const name = `${number} · ${product.name}`;
    const admin = await stage.person("Names", "admin");
    const { page } = await open({ as: admin, at: `/data/order-items?filter[orderId]=${order.id}` });
    await page.getByRole("link", { name, exact: true }).first().click();
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/data/order-items/${item.id}`);
    await page.goto(`/data/reviews/${review.id}`);
    // Its title is empty; a review without a customer is named by its product.
    await page
      .getByRole("heading", { level: 1, name: String(product.name), exact: true })
      .waitFor();
  },
);
