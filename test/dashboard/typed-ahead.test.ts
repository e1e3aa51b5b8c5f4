import { expect } from "vitest";
import { makeProduct } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey("keys typed before a jump is loaded go to it", async ({ stage, open }) => {
  const as = await stage.person("Quick Fingers", "editor");
  const product = await makeProduct(stage);
  const { page } = await open({ as, at: `/data/products/${product.id}` });
  let load = () => {};
  const isAsked = new Promise<void>((asked) => {
    void page.route("**/assets/jump-*.js", async (route) => {
      asked();
      await new Promise<void>((resolve) => {
        load = resolve;
      });
      await route.continue();
    });
  });
  const name = page.getByLabel("Name", { exact: true });
  await name.focus();
  await page.keyboard.press("Control+k");
  await isAsked;
  await page.keyboard.type("catx");
  await page.keyboard.press("Backspace");
  load();
  const field = page.getByRole("combobox", { name: /^Jump to/ });
  await field.and(page.locator(":focus")).waitFor();
  await page.keyboard.type("eg");
  expect(await field.inputValue()).toBe("categ");
  await page.getByRole("option", { name: "Categories", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  expect(await name.inputValue()).toBe(product.name);
  await page.getByRole("button", { name: "Discard" }).waitFor({ state: "detached" });
  // It is loaded now, and begins empty.
  await page.keyboard.press("Control+k");
  await field.waitFor();
  expect(await field.inputValue()).toBe("");
});
