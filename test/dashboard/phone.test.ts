import { expect } from "vitest";
import { products, titles } from "./pages/list.js";
import { fresh } from "./pages/record.js";
import { journey } from "./support/journey.js";
import { smallTargets } from "./support/targets.js";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

/** How many rows are seen whole between the bars of the page. */
const rowsSeen = `(() => {
  const bottom = document.querySelector(".dock").getBoundingClientRect().top;
  const rows = [...document.querySelectorAll("tbody tr")].map((row) => row.getBoundingClientRect());
  return rows.filter((row) => row.bottom <= bottom + 1).length;
})()`;

journey(
  "a list on a phone shows seven rows below its filters, and all else behind one button",
  async ({ stage, open }) => {
    const admin = await stage.person("Pockets", "admin");
    const names = Array.from({ length: 9 }, (_, at) => fresh(`Pocketed ${at}`));
    const { category } = await products(stage, admin, names);
    const filters = `filter[categoryId]=${category}&filter[price][lt]=99&filter[status]=draft`;
    const visit = await open({ ...phone, as: admin, at: `/data/products?${filters}&sort=price` });
    const { page } = visit;
    await page.getByText("1–9 of 9").waitFor();
    expect(await page.evaluate(rowsSeen)).toBeGreaterThanOrEqual(7);
    const heights = `[...document.querySelectorAll("tbody tr")].map((row) => row.offsetHeight)`;
    expect(new Set(await page.evaluate<readonly number[]>(heights))).toEqual(new Set([60]));
    // Nothing is beside what is seen: a finger that goes up or down moves nothing sideways.
    expect(
      await page.evaluate(`(() => {
      const { scrollWidth, clientWidth } = document.querySelector(".scroll");
      return scrollWidth - clientWidth;
    })()`),
    ).toBe(0);
    // The filters keep to one line.
    const chips = page.getByRole("list", { name: "Filters" });
    expect((await chips.boundingBox())?.height).toBeLessThan(48);
    expect(await page.evaluate(smallTargets)).toEqual([]);
    await visit.rest();

    await page.getByRole("button", { name: "Sort and display" }).tap();
    const display = page.getByRole("dialog", { name: "Sort and display" });
    for (const name of ["Recent", "Save view", "Columns"]) {
      await display.getByRole("button", { name, exact: true }).waitFor();
    }
    await visit.rest();
    await display.getByLabel("Rows").selectOption("10");
    await page.getByText("1–9 of 9").waitFor();
    await display.getByLabel("Sort").selectOption("Price, highest first");
    await page.keyboard.press("Escape");
    await display.waitFor({ state: "detached" });
    await expect.poll(async () => (await titles(page))[0]).toBe(names.at(-1));
    // The heads of columns are not there: what they select is.
    await page.getByRole("button", { name: "Sort and display" }).tap();
    await display.getByRole("checkbox", { name: "Select all 9 on this page" }).tap();
    await display.waitFor({ state: "detached" });
    const chosen = page.getByRole("toolbar", { name: "Selected products" });
    await chosen.getByText("9 selected").waitFor();
    await chosen.getByRole("button", { name: "Clear the selection" }).tap();
    // A touch anywhere on its text opens the record.
    const row = page.getByRole("row").nth(1);
    const { x = 0, y = 0, height = 0 } = (await row.boundingBox()) ?? {};
    await page.touchscreen.tap(x + 90, y + height - 12);
    await page.getByRole("heading", { level: 1, name: names.at(-1) ?? "" }).waitFor();
  },
);
