import { expect } from "vitest";
import { api, field, fresh, make, makeProduct, pick, save } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey(
  "a caller without write access reads, and one without delete access finds no way to delete",
  async ({ stage, open }) => {
    const product = await makeProduct(stage, { description: "One.\nTwo." });
    const reader = await open({
      as: await stage.person("Reader"),
      at: `/data/products/${product.id}`,
    });
    await reader.page.getByText("You may read this but not change it.").waitFor();
    expect(await reader.page.getByRole("button", { name: /^Save/ }).count()).toBe(0);
    expect(await reader.page.getByRole("button", { name: "More actions" }).count()).toBe(0);
    await reader.page.goto("/data/products/new");
    await reader.page.getByText("Your role may not create anything in “Products”.").waitFor();
    await reader.page.goto("/data/products/01a20431-b44a-742c-ba13-a730ca4acf75");
    await reader.page.getByRole("heading", { name: "This no longer exists" }).waitFor();

    const editor = await open({
      as: await stage.person("Editor", "editor"),
      at: `/data/categories/${product.categoryId}`,
    });
    const { page } = editor;
    await page.getByRole("button", { name: "Duplicate" }).waitFor();
    // It is offered once: in a narrow window in the menu.
    expect(await page.getByRole("button", { name: "More actions" }).count()).toBe(0);
    await page.setViewportSize({ width: 360, height: 800 });
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).waitFor();
    expect(await page.getByRole("menuitem", { name: "Delete…" }).count()).toBe(0);
    await page.keyboard.press("Escape");
  },
);

journey(
  "deleting names the related records, and those that prevent it",
  async ({ stage, open }) => {
    const as = await stage.person("Admin", "admin");
    const category = await make(stage, "categories", { name: fresh("Parent") });
    const child = await make(stage, "categories", { name: fresh("Child"), parentId: category.id });
    const visit = await open({ as, at: `/data/categories/${category.id}` });
    const { page } = visit;
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    const dialog = page.getByRole("alertdialog", { name: `Delete ${category.name}?` });
    await dialog.getByText("Category: 1 loses its link to it").waitFor();
    await visit.rest();
    // Meanwhile something comes to belong to it.
    const name = fresh("Dependant");
    const product = await make(stage, "products", { name, price: 1, categoryId: category.id });
    await dialog.getByRole("button", { name: "Delete category" }).click();
    await dialog.getByText("Product: 1 still belongs to it", { exact: true }).waitFor();
    const link = dialog.getByRole("link", { name: "Show them: Products" });
    expect(await link.getAttribute("href")).toBe(
      `/data/products?filter[categoryId]=${category.id}`,
    );
    const button = dialog.getByRole("button", { name: "Delete category" });
    expect(await button.getAttribute("aria-disabled")).toBe("true");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await api(stage, "DELETE", `/products/${product.id}`);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await dialog.getByRole("button", { name: "Delete category" }).click();
    await page.getByText(`${category.name} deleted`).waitFor();
    await page.getByRole("heading", { level: 1, name: "Categories" }).waitFor();
    expect((await api(stage, "GET", `/categories/${child.id}`)).body).toMatchObject({
      parentId: null,
    });
  },
);

journey(
  "links, optional choices and empty values are chosen and cleared",
  async ({ stage, open }) => {
    const as = await stage.person("Clerk", "editor");
    const email = `${fresh("clerk").replaceAll(" ", "")}@example.com`;
    const customer = await make(stage, "customers", { name: fresh("Berglunds"), email });
    const visit = await open({ as, at: "/data/orders/new" });
    const { page } = visit;
    await field(page, "Number").fill(String(2_000_000 + Math.floor(Math.random() * 1_000_000)));
    await pick(page, "Customer", String(customer.name));
    await pick(page, "Handled by", as.name);
    await field(page, "Placed at").fill("2026-11-21T15:02");
    await field(page, "Shipped on").fill("2026-11-22");
    await page.getByLabel("Gift").selectOption("Yes");
    await visit.rest();
    await save(page);
    await page.getByText(/ created$/).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    expect((await api(stage, "GET", `/orders/${id}`)).body).toMatchObject({
      customerId: customer.id,
      handledById: as.id,
      shippedOn: "2026-11-22",
      gift: true,
    });
    await page.getByRole("button", { name: "Clear Handled by" }).click();
    await field(page, "Shipped on").fill("");
    await page.getByLabel("Gift").selectOption("Empty");
    await save(page);
    await page.getByText(/ saved$/).waitFor();
    expect((await api(stage, "GET", `/orders/${id}`)).body).toMatchObject({
      customerId: customer.id,
      handledById: null,
      shippedOn: null,
      gift: null,
    });
    await page.reload();
    const chosen = page.getByRole("combobox", { name: "Customer" });
    await expect.poll(() => chosen.inputValue()).toBe(customer.name);
  },
);

journey("hostile contents run nothing and break nothing", async ({ stage, open }) => {
  const as = await stage.person("Brave", "editor");
  const evil = `<img src=x onerror=alert(1)> ${fresh("\u202Eright to left 👩‍👩‍👧‍👦")}`;
  const category = await make(stage, "categories", { name: `</title>${fresh("<b>")}` });
  const product = await make(stage, "products", {
    name: evil,
    price: 1,
    categoryId: category.id,
    description: `</textarea><script>alert(1)</script>\n${"W".repeat(600)}`,
  });
  await make(stage, "reviews", {
    productId: product.id,
    rating: 1,
    title: "W".repeat(100),
    body: "<svg onload=alert(1)> and more",
  });
  const visit = await open({ as, at: `/data/products/${product.id}` });
  const { page } = visit;
  page.on("dialog", () => expect.unreachable("something ran"));
  const chosen = page.getByRole("combobox", { name: "Category" });
  await expect.poll(() => chosen.inputValue()).toBe(category.name);
  expect(await field(page, "Name").inputValue()).toBe(evil);
  for (const width of [360, 768]) {
    await page.setViewportSize({ width, height: 800 });
    await visit.rest();
  }
  await page
    .getByRole("navigation", { name: "Product", exact: true })
    .getByRole("link", { name: /^Reviews/ })
    .click();
  await page.getByRole("table").getByText("WWWW").waitFor();
  await visit.rest();
  await page.goto(`/data/products/${product.id}/nowhere`);
  await page.getByText("The address may be wrong").waitFor();
});

journey(
  "a resource without fields is a form too, and fields that cannot be written are shown",
  async ({ stage, open }) => {
    const as = await stage.person("Visitor");
    const { page } = await open({ as, at: "/data/visits/new" });
    await page.getByText("It has no other fields.").waitFor();
    await save(page);
    await page.getByText("You may read this but not change it.").waitFor();
  },
);
