import { products } from "./pages/list.js";
import { field, fresh, make } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey(
  "the way through a list outlasts its response, and skips deleted records",
  async ({ stage, open }) => {
    const as = await stage.person("Wanderer", "admin");
    const category = await make(stage, "categories", { name: fresh("Walk") });
    const names = [fresh("First"), fresh("Second"), fresh("Third")];
    for (const [at, name] of names.entries()) {
      await make(stage, "products", { name, price: at + 1, categoryId: category.id });
    }
    const [first = "", second = "", third = ""] = names;
    const { page } = await open({ as });
    await page.clock.install();
    await page.goto(`/data/products?filter[categoryId]=${category.id}&sort=price`);
    await page.getByRole("link", { name: first, exact: true }).click();
    const heading = (name: string) => page.getByRole("heading", { level: 1, name });
    await heading(first).waitFor();
    // Answers that nothing shows are forgotten after five minutes.
    await page.clock.fastForward("06:00");
    await page.getByRole("button", { name: "Next product" }).click();
    await heading(second).waitFor();
    // Alt with an arrow opens a choice that has the focus, and navigates from elsewhere.
    await page.getByRole("combobox", { name: "Category" }).focus();
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByRole("option", { name: "New category…" }).waitFor();
    await page.keyboard.press("Escape");
    await heading(second).focus();
    await page.keyboard.press("Alt+ArrowDown");
    await heading(third).waitFor();

    // A way back that is not taken after all changes nothing about the next one.
    await field(page, "Stock").fill("7");
    const back = page.getByRole("main").getByRole("link", { name: "Products" });
    await back.click();
    await page.getByRole("button", { name: "Stay" }).click();
    await page.getByRole("button", { name: "Discard" }).click();
    const jump = page.getByRole("combobox", { name: /^Jump to/ });
    await page.keyboard.press("Control+k");
    await jump.fill("Products");
    await page.getByRole("option", { name: "Products", exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: third, exact: true }).waitFor();
    await page.locator("h1:focus").waitFor();

    await page.keyboard.press("Control+k");
    await page
      .getByRole("group", { name: "Recently opened" })
      .getByRole("option")
      .first()
      .waitFor();
    await jump.fill(third);
    await page.keyboard.press("Enter");
    await heading(third).waitFor();
    await back.click();
    await page.locator("tr:focus").getByRole("link", { name: third, exact: true }).waitFor();
    await page.keyboard.press("Enter");
    await heading(third).waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("button", { name: "Delete product" }).click();
    await page.getByText(`${third} deleted`).waitFor();
    await page.keyboard.press("Control+k");
    await jump.fill(third);
    await page.getByText(`Nothing matches “${third}”`).waitFor();
    await page.keyboard.press("Escape");
  },
);

journey("a phone goes to the next record of a list too", async ({ stage, open }) => {
  const as = await stage.person("Thumbs", "reader");
  const admin = await stage.person("Filler", "admin");
  const names = [`First ${as.email}`, `Second ${as.email}`];
  const { category } = await products(stage, admin, names);
  const at = `/data/products?filter[categoryId]=${category}&sort=price`;
  const { page } = await open({ as, at, viewport: { width: 360, height: 780 }, hasTouch: true });
  const title = (name: string | undefined) =>
    page.getByRole("heading", { level: 1, name: name ?? "" });
  await page.getByRole("link", { name: names[0] ?? "", exact: true }).click();
  await title(names[0]).waitFor();
  const more = page.getByRole("button", { name: "More actions" });
  await more.click();
  await page.getByRole("menuitem", { name: "Next product" }).click();
  await title(names[1]).waitFor();
  await more.click();
  await page.getByRole("menuitem", { name: "Previous product" }).click();
  await title(names[0]).waitFor();
});
