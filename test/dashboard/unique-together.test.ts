import { expect } from "vitest";
import { field, fresh, make, makeProduct, pick, save } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey("values unique together link to the record that has them", async ({ stage, open }) => {
  const as = await stage.person("Together", "admin");
  const [one, other] = [await makeProduct(stage), await makeProduct(stage)];
  const customer = await make(stage, "customers", {
    name: fresh("Ann"),
    email: `${fresh("ann").replaceAll(" ", ".")}@example.com`,
  });
  const values = { customerId: customer.id, rating: 4, body: "Ten characters and more" };
  const first = await make(stage, "reviews", { ...values, productId: one.id });
  const second = await make(stage, "reviews", { ...values, productId: other.id });
  const visit = await open({ as, at: `/data/reviews/${second.id}` });
  const { page } = visit;
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("where=")) asked.push(request.url());
  });
  await pick(page, "Product", String(one.name));
  await save(page);
  const summary = page.getByRole("alert").filter({ hasText: "Not saved: 2 fields need attention" });
  await summary.getByText(/^Product and Customer/).waitFor();
  const opened = visit.context.waitForEvent("page");
  await summary.getByRole("link", { name: "Open it in a new tab" }).click();
  const holder = await opened;
  await holder.getByRole("heading", { level: 1 }).waitFor();
  expect(new URL(holder.url()).pathname).toBe(`/data/reviews/${first.id}`);
  await holder.close();
  expect(asked).toHaveLength(1);
  await visit.rest();
  await pick(page, "Product", String(other.name));
  for (const label of [/^Product/, /^Customer/]) {
    expect(await field(page, label).getAttribute("aria-invalid")).toBeNull();
  }
});
