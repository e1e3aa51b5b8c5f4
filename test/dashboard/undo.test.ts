import { expect } from "vitest";
import { products } from "./pages/list.js";
import { api, field, fresh, make, makeProduct, pick, save } from "./pages/record.js";
import { journey } from "./support/journey.js";

const stock = async (stage: Parameters<typeof api>[0], id: unknown) =>
  ((await api(stage, "GET", `/products/${id}`)).body as { readonly stock: number }).stock;

journey("a save is undone, unless another write has followed", async ({ stage, open }) => {
  const as = await stage.person("Undoes", "admin");
  const product = await makeProduct(stage, { stock: 5 });
  const visit = await open({ as });
  const { page } = visit;
  // A busy machine may need longer than the ten seconds for which an undo is offered.
  await page.addInitScript(`{
    const real = setTimeout;
    globalThis.setTimeout = (work, ms, ...rest) => real(work, ms === 10_000 ? 120_000 : ms, ...rest);
  }`);
  await page.goto(`/data/products/${product.id}`);
  await field(page, "Stock").fill("6");
  await page.keyboard.press("Control+s");
  await page.getByText(`${product.name} saved`).waitFor();
  await visit.rest();
  expect(await stock(stage, product.id)).toBe(6);
  // What is typed meanwhile stays.
  await field(page, "Description").fill("Typed since");
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText(`${product.name} is as before`).waitFor();
  expect(await stock(stage, product.id)).toBe(5);
  expect(await field(page, "Stock").inputValue()).toBe("5");
  expect(await field(page, "Description").inputValue()).toBe("Typed since");
  await save(page);
  await page.getByText(`${product.name} saved`).waitFor();

  // By the keyboard alone, from any place that takes no text.
  await page.getByRole("button", { name: "Save", exact: true }).focus();
  await page.keyboard.press("Control+z");
  await page.getByText(`${product.name} is as before`).waitFor();
  expect(await field(page, "Description").inputValue()).toBe("");

  await field(page, "Stock").fill("7");
  await save(page);
  await page.getByText(`${product.name} saved`).waitFor();
  await api(stage, "PATCH", `/products/${product.id}`, { stock: 8 });
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page
    .getByText(`${product.name} has since been changed elsewhere, so the change was not undone`)
    .waitFor();
  expect(await stock(stage, product.id)).toBe(8);
});

journey("an undo is offered for ten seconds", async ({ stage, open }) => {
  const as = await stage.person("Undoes Late", "admin");
  const product = await makeProduct(stage, { stock: 5 });
  const { page } = await open({ as });
  await page.clock.install();
  await page.goto(`/data/products/${product.id}`);
  await field(page, "Stock").fill("6");
  await page.clock.pauseAt(Date.now() + 60_000);
  await save(page);
  const undo = page.getByRole("button", { name: "Undo", exact: true });
  await undo.waitFor();
  await page.clock.runFor(9_000);
  expect(await undo.count()).toBe(1);
  await page.clock.runFor(1_500);
  expect(await undo.count()).toBe(0);
  await page.keyboard.press("Control+z");
  await page.clock.resume();
  expect(await stock(stage, product.id)).toBe(6);
});

journey("a new record is removed again, and its form returns", async ({ stage, open }) => {
  const as = await stage.person("Undoes New", "admin");
  const category = await make(stage, "categories", { name: fresh("Tea") });
  const name = fresh("Hasty");
  const { page } = await open({ as, at: "/data/products/new" });
  await field(page, "Name").fill(name);
  await field(page, "Price").fill("4");
  await pick(page, "Category", String(category.name));
  await save(page);
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await page.getByRole("button", { name: "Undo", exact: true }).click();
  await page.getByText(`${name} was removed again`).waitFor();
  await page.getByRole("heading", { level: 1, name: "New product" }).waitFor();
  expect(await field(page, "Name").inputValue()).toBe(name);
  const found = await api(stage, "GET", `/products?filter[name]=${encodeURIComponent(name)}`);
  expect(found.body).toMatchObject({ meta: { total: 0 } });
});

journey(
  "an edit of several records is undone, each to its previous values",
  async ({ stage, open }) => {
    const as = await stage.person("Undoes Several", "admin");
    const names = [`One ${as.email}`, `Two ${as.email}`, `Three ${as.email}`];
    const { category, ids } = await products(stage, as, names, (at) => ({ stock: at }));
    const visit = await open({ as, at: `/data/products?filter[categoryId]=${category}` });
    const { page } = visit;
    await page.getByRole("checkbox", { name: "Select all 3 on this page" }).check();
    await page.getByRole("button", { name: "Edit…" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit 3 products" });
    await dialog.getByLabel("Field").selectOption("Stock");
    await dialog.getByLabel("Stock").fill("12");
    await dialog.getByRole("button", { name: "Change 3 products" }).click();
    await page.getByText("3 of 3 products changed").waitFor();
    await dialog.waitFor({ state: "detached" });
    await visit.rest();
    expect(await stock(stage, ids[2])).toBe(12);
    await api(stage, "PATCH", `/products/${ids[0]}`, { stock: 99 });
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("Undone: 2 of 3 products; the others have changed since").waitFor();
    expect(await Promise.all(ids.map((id) => stock(stage, id)))).toEqual([99, 1, 2]);
  },
);

journey(
  "a delete of several names the records deleted with them, and is final",
  async ({ stage, open }) => {
    const as = await stage.person("Deletes Several", "admin");
    const names = [`Kept ${as.email}`, `Free ${as.email}`];
    const { category, ids } = await products(stage, as, names);
    for (const rating of [3, 4]) {
      await make(stage, "reviews", { productId: ids[0], rating, body: "Good, all in all, truly." });
    }
    const visit = await open({ as, at: `/data/products?filter[categoryId]=${category}` });
    const { page } = visit;
    await page.getByRole("checkbox", { name: "Select all 2 on this page" }).check();
    await page.getByRole("button", { name: "Delete…" }).click();
    const question = page.getByRole("alertdialog", { name: "Delete 2 products?" });
    await question.getByText("This cannot be undone.").waitFor();
    await question.getByText(/^Reviews: 2 /).waitFor();
    await visit.rest();
  },
);
