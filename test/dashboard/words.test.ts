import { expect } from "vitest";
import { api, field, makeProduct } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey("a record that was deleted elsewhere can be created again", async ({ stage, open }) => {
  const product = await makeProduct(stage, { price: 1234.5 });
  const editor = await stage.person("Creates Again", "admin");
  const { page } = await open({ as: editor, at: `/data/products/${product.id}`, locale: "en-US" });
  await field(page, "Stock").fill("77");
  await api(stage, "DELETE", `/products/${product.id}`);
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await page.getByText("This was deleted elsewhere.").waitFor();
  await page.getByRole("button", { name: "Back to products" }).waitFor();
  await page.getByRole("button", { name: "Create it again" }).click();
  await page.getByRole("heading", { level: 1, name: "New product" }).waitFor();
  expect(await field(page, "Name").inputValue()).toBe(product.name);
  expect(await field(page, "Price").inputValue()).toBe("1,234.50");
  expect(await field(page, "Stock").inputValue()).toBe("77");
});

journey("a page past the end shows no row numbers", async ({ stage, open }) => {
  const admin = await stage.person("Past End", "admin");
  await makeProduct(stage);
  const { page } = await open({ as: admin, at: "/data/products?page=999999" });
  await page
    .getByRole("status")
    .filter({ hasText: /^None of [\d,]+$/ })
    .waitFor();
});

journey("typed text is kept: a term, and the address at sign-in", async ({ stage, open }) => {
  const admin = await stage.person("Goes On", "admin");
  const { page } = await open({ as: admin, at: "/data/products/new" });
  const box = page.getByRole("combobox", { name: "Category" });
  await box.click();
  await box.fill("Herbal never seen");
  await page.getByRole("option", { name: "New category" }).click();
  const drawer = page.getByRole("dialog", { name: "New category" });
  expect(await drawer.getByLabel("Name").inputValue()).toBe("Herbal never seen");

  const { page: signedOut } = await open({ at: "/sign-in" });
  await signedOut.getByLabel("Email").fill("ada@example.com");
  await signedOut.getByRole("link", { name: /forgot/i }).click();
  await signedOut.getByRole("heading", { level: 1 }).waitFor();
  await expect.poll(() => signedOut.getByLabel("Email").inputValue()).toBe("ada@example.com");
});
