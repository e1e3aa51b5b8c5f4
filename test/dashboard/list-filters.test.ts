import { expect } from "vitest";
import { products, titles } from "./pages/list.js";
import { api } from "./support/api.js";
import { journey } from "./support/journey.js";

/** `2026-11-21` so many days from today, here. */
function day(from: number): string {
  const at = new Date();
  at.setDate(at.getDate() + from);
  const two = (part: number) => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

journey("moments are filtered by days of the calendar", async ({ stage, open }) => {
  const as = await stage.person("Calendar", "admin");
  const names = [`Noon ${as.email}`, `Later ${as.email}`, `Never ${as.email}`];
  const soldOut = [`${day(-3)}T12:00:00`, `${day(-2)}T23:59:00`].map((local) =>
    new Date(local).toISOString(),
  );
  const { category } = await products(stage, as, names, (at) => ({
    soldOutAt: soldOut[at] ?? null,
  }));
  const visit = await open({ as, at: `/data/products?filter[categoryId]=${category}&sort=price` });
  const { page } = visit;
  const chip = (name: string | RegExp) => page.getByRole("button", { name }).first();
  await expect.poll(() => titles(page)).toEqual(names);
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByLabel("Field").selectOption("Sold out at");
  await page.getByLabel("Condition").selectOption("on");
  await page.getByLabel("Value").fill(day(-2));
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => titles(page)).toEqual([names[1]]);
  expect(decodeURIComponent(page.url())).toContain(`&day:soldOutAt=${day(-2)}`);
  await page.reload();
  await expect.poll(() => titles(page)).toEqual([names[1]]);

  // The day is taken along, and belongs to what lasts until then.
  await chip(/^Sold out at on /).click();
  await page.getByLabel("Condition").selectOption("until");
  expect(await page.getByLabel("Value").inputValue()).toBe(day(-2));
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => titles(page)).toEqual(names.slice(0, 2));
  await chip(/^Sold out at until /).click();
  await page.getByLabel("Value").fill(day(-3));
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => titles(page)).toEqual(names.slice(0, 1));
  await visit.rest();
});

journey("links are filtered by one of several records", async ({ stage, open }) => {
  const as = await stage.person("Several", "admin");
  const call = await api(stage, as);
  const made: string[] = [];
  for (const name of ["Black", "Green", "White"]) {
    const { id } = await call<{ id: string }>("POST", "/categories", {
      name: `${name} ${as.email}`,
    });
    made.push(id);
    const values = { name: `${name} tea ${as.email}`, price: made.length, categoryId: id };
    await call("POST", "/products", values);
  }
  const tea = (name: string) => `${name} tea ${as.email}`;
  const visit = await open({ as, at: `/data/products?q=${as.email}&sort=price` });
  const { page } = visit;
  await expect.poll(() => titles(page)).toEqual(["Black", "Green", "White"].map(tea));
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByLabel("Field").selectOption("Category");
  await page.getByLabel("Condition").selectOption("is one of");
  const search = page.getByRole("combobox", { name: "Category" });
  for (const name of ["Green", "White", "Black"]) {
    await search.fill(`${name} ${as.email}`);
    await page.getByRole("option", { name: `${name} ${as.email}` }).click();
  }
  await page.getByRole("button", { name: `Remove White ${as.email}` }).click();
  await search.and(page.locator(":focus")).waitFor();
  await visit.rest();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => titles(page)).toEqual([tea("Black"), tea("Green")]);
  expect(decodeURIComponent(page.url())).toContain(`filter[categoryId][in]=${made[1]},${made[0]}`);
  await page.reload();
  const shown = `Category is one of Green ${as.email} or Black ${as.email}`;
  await page.getByRole("button", { name: shown, exact: true }).click();
  await page.getByLabel("Condition").selectOption("is none of");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => titles(page)).toEqual([tea("White")]);
});

journey("a search without matches offers the names of linked records", async ({ stage, open }) => {
  const as = await stage.person("Elsewhere", "admin");
  const call = await api(stage, as);
  const group = await call<{ id: string }>("POST", "/categories", { name: `Brews ${as.email}` });
  for (const [at, name] of ["Sencha", "Matcha"].entries()) {
    const values = { name: `${name} ${at} ${as.email}`, price: at + 1, categoryId: group.id };
    await call("POST", "/products", values);
  }
  const visit = await open({ as, at: `/data/products?q=brews+${as.email}&sort=price` });
  const { page } = visit;
  await page.getByText(`Nothing in “Products” matches “brews ${as.email}”.`).waitFor();
  await visit.rest();
  await page.getByRole("button", { name: "Search categories by name instead" }).click();
  const both = [`Sencha 0 ${as.email}`, `Matcha 1 ${as.email}`];
  await expect.poll(() => titles(page)).toEqual(both);
  expect(new URL(page.url()).searchParams.get("filter[category.name][contains]")).toBe(
    `brews ${as.email}`,
  );
  await page.reload();
  await expect.poll(() => titles(page)).toEqual(both);
  // Back is the search without matches.
  await page.goBack();
  await page.getByText(`Nothing in “Products” matches “brews ${as.email}”.`).waitFor();
  await page.goForward();
  await expect.poll(() => titles(page)).toEqual(both);

  // It is a filter like others: edited, and chosen in the editor.
  await page
    .getByRole("button", { name: `Category › Name contains brews ${as.email}`, exact: true })
    .click();
  await page.getByLabel("Value").fill(`nothing ${as.email}`);
  await page.getByRole("button", { name: "Apply" }).click();
  await page.getByText("Nothing matches in “Products”.").waitFor();
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  await page.getByLabel("Field").selectOption("Category › Name");
  await page.getByLabel("Condition").selectOption("is");
  await page.getByLabel("Value").fill(`Brews ${as.email}`);
  await visit.rest();
  await page.getByRole("button", { name: "Apply" }).click();
  await expect.poll(() => titles(page)).toHaveLength(2);

  // All that match are selected by it, too.
  await page.goto(`/data/products?filter[category.name]=Brews+${as.email}&perPage=1&sort=price`);
  await page
    .getByLabel(/^Select all/)
    .first()
    .check();
  await page.getByRole("button", { name: "Select all 2 that match" }).click();
  await page.getByText(/^All 2 that matched/).waitFor();
});

journey("titles in filters move no rows when they arrive", async ({ stage, open, notByTouch }) => {
  notByTouch("on a phone filters are one line that scrolls");
  const as = await stage.person("Long Titles", "admin");
  const call = await api(stage, as);
  const ids: string[] = [];
  for (const name of ["First", "Second"]) {
    const long = `${name} of two ${as.email}`.padEnd(60, ".");
    const { id } = await call<{ id: string }>("POST", "/categories", { name: long });
    await call("POST", "/products", { name: `${name} ${as.email}`, price: 1, categoryId: id });
    ids.push(id);
  }
  for (const [width, filter, words] of [
    [1280, `filter[categoryId]=${ids[0]}`, "First of two"],
    [1440, `filter[categoryId]=${ids[0]}&filter[categoryId][ne]=${ids[1]}`, "First of two"],
    [1440, `filter[categoryId][in]=${ids.join()}`, "or Second of two"],
  ] as const) {
    const { page } = await open({ as, viewport: { width, height: 900 } });
    let letCome = () => {};
    const come = new Promise<void>((done) => {
      letCome = done;
    });
    await page.route("**/api/categories/*", async (route) => {
      await come;
      await route.continue();
    });
    await page.goto(`/data/products?${filter}`);
    const rows = page.locator("tbody");
    await rows.getByRole("link", { name: `First ${as.email}` }).waitFor();
    const before = await rows.boundingBox();
    letCome();
    const chip = page.getByRole("button", { name: /^Category is (one of )?First of two/ });
    await chip.waitFor();
    expect(await rows.boundingBox()).toEqual(before);
    // What is cut is whole in the hint.
    expect(await chip.locator("[title]").getAttribute("title")).toContain(words);
  }
});

journey("recent searches move nothing when they arrive", async ({ stage, open, notByTouch }) => {
  notByTouch("on a phone they are behind one button");
  const as = await stage.person("Looks On", "admin");
  const { category } = await products(stage, as, [`Recent ${as.email}`]);
  const { page } = await open({ as, at: "/data/products" });
  const recent = page.getByRole("button", { name: "Recent", exact: true });
  expect(await recent.getAttribute("aria-disabled")).toBe("true");
  await page.goto(`/data/products?filter[categoryId]=${category}`);
  await expect.poll(() => titles(page)).toEqual([`Recent ${as.email}`]);
  const columns = page.getByRole("button", { name: "Columns", exact: true });
  const before = await columns.boundingBox();
  await expect.poll(() => recent.getAttribute("aria-disabled")).toBeNull();
  expect(await columns.boundingBox()).toEqual(before);
});

journey("recent searches read as their filters do", async ({ stage, open }) => {
  const as = await stage.person("Looks Back", "admin");
  const { category } = await products(stage, as, [`Recent ${as.email}`]);
  const asked = `filter[categoryId]=${category}&day:createdAt=${day(0)}`;
  const visit = await open({ as, at: `/data/products?${asked}` });
  const { page } = visit;
  await expect.poll(() => titles(page)).toEqual([`Recent ${as.email}`]);
  // It is remembered when it has lasted.
  const isRemembered = "JSON.stringify(localStorage).includes('searches:products')";
  await expect.poll(() => page.evaluate(isRemembered)).toBe(true);
  await page.getByRole("link", { name: "All", exact: true }).click();
  await page.getByRole("button", { name: "Recent", exact: true }).click();
  const shown = page.getByRole("menuitem", { name: `Category is All ${as.email}, Created on ` });
  await shown.waitFor();
  await visit.rest();
  await shown.click();
  await expect.poll(() => decodeURIComponent(page.url())).toContain(asked);
});

journey("a phone offers every function of a list", async ({ stage, open }) => {
  const as = await stage.person("Pocket", "admin");
  const { category } = await products(stage, as, [`Small ${as.email}`]);
  const at = `/data/products?filter[categoryId]=${category}`;
  const visit = await open({ as, at, viewport: { width: 360, height: 780 }, hasTouch: true });
  const { page } = visit;
  await expect.poll(() => titles(page)).toEqual([`Small ${as.email}`]);
  await visit.rest();
  await page.getByRole("button", { name: "Sort and display" }).click();
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByLabel("Name of the view").fill("Mine");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("link", { name: /^Mine/ }).waitFor();
  const display = page.getByRole("dialog", { name: "Sort and display" });
  if ((await display.count()) === 0) {
    await page.getByRole("button", { name: "Sort and display" }).click();
  }
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  await page.getByRole("checkbox", { name: "Stock" }).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("checkbox", { name: "Stock" }).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
  await display.waitFor({ state: "detached" });
  const more = page.getByRole("button", { name: "More actions" });
  await more.click();
  await page.getByRole("menuitem", { name: "Export" }).click();
  await page.getByRole("dialog", { name: /^Export/ }).waitFor();
  await page.keyboard.press("Escape");
  await more.click();
  await page.getByRole("menuitem", { name: "Import" }).click();
  await page.getByRole("heading", { level: 1, name: /^Import/ }).waitFor();
});
