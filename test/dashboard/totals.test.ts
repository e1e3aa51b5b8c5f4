import { expect } from "vitest";
import { products, titles } from "./pages/list.js";
import { journey } from "./support/journey.js";

journey("a list is totalled and grouped for the filter shown", async ({ stage, open }) => {
  const as = await stage.person("Adds Up", "admin");
  const names = [`One ${as.email}`, `Two ${as.email}`, `Three ${as.email}`];
  const { category } = await products(stage, as, names, (at) => ({
    status: at === 2 ? "live" : "draft",
    price: (at + 1) * 1.5,
  }));
  const visit = await open({ as, at: `/data/products?filter[categoryId]=${category}&sort=price` });
  const { page } = visit;
  await expect.poll(() => titles(page)).toEqual(names);
  await page.getByRole("button", { name: "Totals", exact: true }).click();
  await page.getByLabel("Total of each column").selectOption("Sum");
  await page.keyboard.press("Escape");
  const foot = page.getByRole("row", { name: /^Sum/ });
  await foot.getByText("9.00").waitFor();
  await visit.rest();

  await page.getByRole("button", { name: "Totals", exact: true }).click();
  await page.getByLabel("Group by").selectOption("Status");
  await page.keyboard.press("Escape");
  const rows = page.locator(".grouped tbody tr");
  await expect.poll(() => rows.allTextContents()).toHaveLength(2);
  await visit.rest();
  await page.reload();
  await rows.first().waitFor();
  await rows.filter({ hasText: "live" }).getByRole("link").click();
  await expect.poll(() => titles(page)).toEqual([names[2]]);
  await page.goBack();
  await expect.poll(() => rows.allTextContents()).toHaveLength(2);
  await page.getByRole("button", { name: "Show the records" }).click();
  await expect.poll(() => titles(page)).toEqual(names);
});

journey("groups by two fields are kept in a view, also at 360 px", async ({ stage, open }) => {
  const as = await stage.person("Groups Twice", "admin");
  const names = [`Four ${as.email}`, `Five ${as.email}`, `Six ${as.email}`];
  const { category } = await products(stage, as, names, (at) => ({
    status: at === 0 ? "live" : "draft",
    price: at + 1,
  }));
  const visit = await open({ as, at: `/data/products?filter[categoryId]=${category}` });
  const { page } = visit;
  await page.getByText("1–3 of 3").waitFor();

  // By keyboard alone.
  await page.getByRole("button", { name: "Totals", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Group by").selectOption("Created, by month");
  await page.getByLabel("Then by").selectOption("Status");
  await page.getByLabel("Total of each column").selectOption("Maximum");
  await page.keyboard.press("Escape");
  const rows = page.locator(".grouped tbody tr");
  await expect.poll(() => rows.count()).toBe(2);
  const month = new Date().toLocaleDateString("en-GB", { month: "long", year: "numeric" });
  const texts = await rows.allTextContents();
  expect(texts.every((text) => text.startsWith(month))).toBe(true);
  expect(texts.some((text) => text.includes("live") && text.includes("1.00"))).toBe(true);
  expect(texts.some((text) => text.includes("draft") && text.includes("3.00"))).toBe(true);

  await page.getByRole("button", { name: "Save view" }).click();
  const view = `By month ${as.email}`;
  await page.getByLabel("Name of the view").fill(view);
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: new RegExp(view) }).waitFor();
  await visit.rest();

  // A month narrows the list to its records, and the other field does as well.
  await rows.filter({ hasText: "draft" }).getByRole("link").click();
  await expect.poll(async () => (await titles(page)).toSorted()).toEqual([names[1], names[2]]);
  await page.getByRole("link", { name: new RegExp(view) }).click();
  await expect.poll(() => rows.count()).toBe(2);

  await page.setViewportSize({ width: 360, height: 740 });
  await visit.rest();
});
