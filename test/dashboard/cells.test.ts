import type { Page } from "playwright-core";
import { expect } from "vitest";
import { products } from "./pages/list.js";
import { api, fresh, make } from "./pages/record.js";
import { journey } from "./support/journey.js";
import type { Stage } from "./support/stage.js";

/** A cell of the row with that title, by the place of its column. */
async function cell(page: Page, title: string, column: string) {
  const heads = await page.getByRole("columnheader").allTextContents();
  const at = heads.findIndex((head) => head.startsWith(column));
  const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: title }) });
  return row.getByRole("cell").nth(at);
}

/** Until the server has every value that the list shows. */
const saved = (page: Page) => expect.poll(() => page.locator("td[aria-busy]").count()).toBe(0);

const record = async (stage: Stage, id: string | undefined) =>
  (await api(stage, "GET", `/products/${id}`)).body as Readonly<Record<string, unknown>>;

journey("cells are edited in place, by the keyboard alone", async ({ stage, open, notByTouch }) => {
  notByTouch("it is about keys; on a phone a row is one card");
  const as = await stage.person("Edits Cells", "admin");
  const names = [`Ant ${as.email}`, `Bee ${as.email}`];
  const { category, ids } = await products(stage, as, names);
  const other = await make(stage, "categories", { name: fresh("Herbal") });
  const visit = await open({ as });
  const { page } = visit;
  await page.goto(`/data/products?filter[categoryId]=${category}&sort=price`);
  await page.getByRole("link", { name: names[0] ?? "", exact: true }).waitFor();
  const price = await cell(page, names[0] ?? "", "Price");
  await price.focus();
  await page.keyboard.press("Enter");
  const editor = page.getByRole("form", { name: `Price: ${names[0]}` });
  await editor.getByLabel("Price").fill("-1");
  await page.keyboard.press("Enter");
  await editor.getByText(/at least 0/i).waitFor();
  await visit.rest();
  await editor.getByLabel("Price").fill("12,5");
  await page.keyboard.press("Enter");
  await editor.getByText(/12\.5/).first().waitFor();
  // Another account writes it in the meantime.
  await api(stage, "PATCH", `/products/${ids[0]}`, { price: 7 });
  await editor.getByRole("textbox", { name: "Price" }).fill("9");
  await page.keyboard.press("Enter");
  await editor.getByText(/^Changed elsewhere to “7.00” meanwhile/).waitFor();
  await page.keyboard.press("Enter");
  await editor.waitFor({ state: "detached" });
  await page.getByText(`${names[0]} saved`).waitFor();
  expect(await record(stage, ids[0])).toMatchObject({ price: 9 });
  // It stays in its place, although the list is in the order of prices, and the focus in it.
  expect(await page.locator("tbody a.title").allTextContents()).toEqual(names);
  expect(await page.locator("td:focus").textContent()).toBe("9.00");

  // Tab goes on from cell to cell.
  await page.keyboard.press("Enter");
  await editor.waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("form", { name: `Stock: ${names[0]}` }).waitFor();
  await page.keyboard.press("Tab");
  await page.getByRole("form", { name: `Active: ${names[0]}` }).waitFor();
  await page.keyboard.press("Space");
  await page.keyboard.press("Tab");
  const status = page.getByRole("form", { name: `Status: ${names[0]}` });
  await status.waitFor();
  await page.keyboard.press("ArrowDown");
  await visit.rest();
  await page.keyboard.press("Escape");
  await status.waitFor({ state: "detached" });
  await saved(page);
  expect(await record(stage, ids[0])).toMatchObject({ active: false, status: "draft" });

  // And what was written is undone.
  await page.keyboard.press("Control+z");
  await page.getByText(`${names[0]} is as before`).waitFor();
  expect(await record(stage, ids[0])).toMatchObject({ active: true });

  // A link is searched for; the title is reached by F2.
  await (await cell(page, names[1] ?? "", "Category")).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type(String(other.name));
  await page.getByRole("option", { name: String(other.name) }).waitFor();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page
    .getByRole("cell")
    .getByRole("link", { name: String(other.name) })
    .waitFor();
  await saved(page);
  await page.getByRole("link", { name: names[1] ?? "", exact: true }).focus();
  await page.keyboard.press("F2");
  await page
    .getByRole("form", { name: `Name: ${names[1]}` })
    .getByLabel("Name")
    .fill("");
  await page.keyboard.press("Enter");
  await page.getByText(/This cannot be empty|Required/i).waitFor();
  await page.keyboard.type(`Cee ${as.email}`);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: `Cee ${as.email}`, exact: true }).waitFor();
  await saved(page);
  expect(await record(stage, ids[1])).toMatchObject({
    name: `Cee ${as.email}`,
    categoryId: other.id,
  });
});

journey(
  "a cell shows typed text at once, marked until it is saved, and reverts if it is refused",
  async ({ stage, open, notByTouch }) => {
    notByTouch("on a phone a row is one card");
    const as = await stage.person("Slow Cells", "admin");
    const names = [`Eel ${as.email}`, `Fox ${as.email}`];
    const { category, ids } = await products(stage, as, names);
    const visit = await open({ as, at: `/data/products?filter[categoryId]=${category}` });
    const { page } = visit;
    await page.getByRole("link", { name: names[0] ?? "", exact: true }).waitFor();
    const requests: string[] = [];
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/products**", async (route) => {
      const request = route.request();
      if (!request.url().includes("_events")) requests.push(request.method());
      if (request.method() === "PATCH") await held;
      await route.continue();
    });
    const price = await cell(page, names[0] ?? "", "Price");
    await price.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("form").getByLabel("Price").fill("8");
    await page.keyboard.press("Tab");
    // The next cell can be edited meanwhile.
    await page.getByRole("form", { name: `Stock: ${names[0]}` }).waitFor();
    await expect.poll(() => price.textContent()).toBe("8.00");
    expect(await price.getAttribute("aria-busy")).toBe("true");
    await page.getByRole("form").getByLabel("Stock").fill("5");
    await page.keyboard.press("Enter");
    const stock = await cell(page, names[0] ?? "", "Stock");
    await expect.poll(() => stock.textContent()).toBe("5");
    expect(await page.getByText("saved").count()).toBe(0);
    answer();
    await page.getByText(`${names[0]} saved`).waitFor();
    await saved(page);
    expect([await price.textContent(), await stock.textContent()]).toEqual(["8.00", "5"]);
    expect(await record(stage, ids[0])).toMatchObject({ price: 8, stock: 5 });
    expect(requests.filter((method) => method !== "POST")).toEqual(["PATCH", "PATCH"]);

    // A name that is taken goes back; the editor has what was typed, and the reason.
    await page.getByRole("link", { name: names[1] ?? "", exact: true }).focus();
    await page.keyboard.press("F2");
    const editor = page.getByRole("form", { name: `Name: ${names[1]}` });
    await editor.getByLabel("Name").fill(names[0] ?? "");
    await page.keyboard.press("Enter");
    await editor.getByText(/another|already|taken|unique/i).waitFor();
    expect(await editor.getByLabel("Name").inputValue()).toBe(names[0]);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: names[1] ?? "", exact: true }).waitFor();
    expect(await record(stage, ids[1])).toMatchObject({ name: names[1] });
  },
);

journey("a cell is edited by a double click, and by touch", async ({ stage, open, notByTouch }) => {
  notByTouch("it is about a mouse, and about a finger on a tablet; on a phone a row is one card");
  const as = await stage.person("Taps Cells", "admin");
  const [name = ""] = [`Dog ${as.email}`];
  const { category, ids } = await products(stage, as, [name]);
  const at = `/data/products?filter[categoryId]=${category}`;
  const { page } = await open({ as, at });
  await page.getByRole("link", { name, exact: true }).waitFor();
  await (await cell(page, name, "Price")).dblclick();
  const editor = page.getByRole("form", { name: `Price: ${name}` });
  await editor.getByLabel("Price").fill("3");
  // A click elsewhere keeps what was typed.
  await page.getByRole("heading", { level: 1 }).click();
  await page.getByText(`${name} saved`).waitFor();
  await expect.poll(async () => (await record(stage, ids[0])).price).toBe(3);

  // On a phone a row is one card, and a touch opens its record.
  const tablet = await open({
    as,
    at,
    viewport: { width: 1024, height: 768 },
    hasTouch: true,
    isMobile: true,
  });
  const figure = tablet.page.getByRole("cell", { name: "3.00" });
  const box = await figure.boundingBox();
  const [x, y] = [(box?.x ?? 0) + 5, (box?.y ?? 0) + 5];
  await tablet.page.touchscreen.tap(x, y);
  await tablet.page.touchscreen.tap(x, y);
  const small = tablet.page.getByRole("form", { name: `Price: ${name}` });
  await small.getByLabel("Price").fill("4");
  await tablet.rest();
  await small.getByRole("button", { name: "Save" }).tap();
  await expect.poll(async () => (await record(stage, ids[0])).price).toBe(4);
});
