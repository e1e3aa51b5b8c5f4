import { expect } from "vitest";
import { field, makeProduct } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey("Back with unsaved edits asks first, and Stay keeps them", async ({ stage, open }) => {
  const product = await makeProduct(stage);
  const editor = await stage.person("Goes Back", "editor");
  const visit = await open({ as: editor, at: "/data/products" });
  const { page } = visit;
  const path = `/data/products/${product.id}`;
  await page
    .getByRole("link", { name: String(product.name) })
    .first()
    .click();
  await page.getByRole("heading", { level: 1, name: String(product.name) }).waitFor();
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  await field(page, "Stock").fill("77");
  await page.goBack();
  await question.waitFor();
  expect(new URL(page.url()).pathname).toBe(path);
  await visit.rest();
  await question.getByRole("button", { name: "Stay" }).click();
  expect(await field(page, "Stock").inputValue()).toBe("77");
  expect(new URL(page.url()).pathname).toBe(path);

  // It asks each time, until somebody leaves.
  await page.goBack();
  await question.getByRole("button", { name: "Discard" }).click();
  await page.getByRole("heading", { level: 1, name: "Products" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/data/products");

  // And forward.
  await page.goForward();
  await page.getByRole("heading", { level: 1, name: String(product.name) }).waitFor();
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: "Products" }).waitFor();
});
