import { expect } from "vitest";
import { products } from "./pages/list.js";
import { api, fresh, make, pick } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey(
  "several fields of several records change together, and a preview shows what changes",
  async ({ stage, open }) => {
    const as = await stage.person("Edits Several", "admin");
    const names = [`First ${as.email}`, `Second ${as.email}`];
    const { category, ids } = await products(stage, as, names, (at) => ({ stock: at + 4 }));
    const other = await make(stage, "categories", { name: fresh("Coffee") });
    const visit = await open({ as, at: `/data/products?filter[categoryId]=${category}` });
    const { page } = visit;
    await page.getByRole("checkbox", { name: "Select all 2 on this page" }).check();
    await page.getByRole("button", { name: "Edit…" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit 2 products" });
    await dialog.getByLabel("Field").selectOption("Stock");
    const preview = dialog.getByRole("region", { name: "What the edit changes" });
    await dialog.getByLabel("Stock").fill("4");
    await preview.getByRole("columnheader", { name: "Stock: 4" }).waitFor();
    const row = (name: string | undefined) =>
      preview.getByRole("row").filter({ hasText: `${name}` });
    await row(names[0]).getByText("unchanged").waitFor();
    expect(await row(names[1]).locator("del").textContent()).toBe("5");

    await dialog.getByLabel("Another field").selectOption("Category");
    await pick(page, "Category", `${other.name}`);
    await preview.getByRole("columnheader", { name: `Category: ${other.name}` }).waitFor();
    await dialog.getByLabel("Another field").selectOption("Price");
    // The reason stands at the field, and nothing is sent.
    await dialog.getByLabel("Price", { exact: true }).fill("-1");
    await dialog.getByRole("button", { name: "Change 2 products" }).click();
    await dialog.getByText("Must be at least 0").waitFor();
    await visit.rest();
    await dialog.getByRole("button", { name: "Leave out Price" }).click();
    await dialog.getByRole("button", { name: "Change 2 products" }).click();
    await page.getByText("2 of 2 products changed").waitFor();
    for (const id of ids) {
      const { body } = await api(stage, "GET", `/products/${id}`);
      expect(body).toMatchObject({ stock: 4, categoryId: other.id });
    }
  },
);
