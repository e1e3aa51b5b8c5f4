import { expect } from "vitest";
import { products, titles } from "./pages/list.js";
import { api } from "./pages/record.js";
import { journey } from "./support/journey.js";
import { smallTargets } from "./support/targets.js";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

journey("a list is a calendar in its address, with its filters", async ({ stage, open }) => {
  const as = await stage.person("Plans", "admin");
  const first = `One ${as.email}`;
  const others = ["Two", "Three", "Four", "Five", "Late"].map((name) => `${name} ${as.email}`);
  const names = [first, ...others];
  const { category } = await products(stage, as, names, (at) => ({
    releasedOn: at === 5 ? "2026-12-24" : "2026-11-17",
    status: at === 0 ? "live" : "draft",
  }));
  const list = `/data/products?filter[categoryId]=${category}`;
  const visit = await open({ as, at: list, locale: "en-GB" });
  const { page } = visit;
  const ways = page.getByRole("navigation", { name: "Show as" });
  await page.getByText("1–6 of 6").waitFor();
  await ways.getByRole("link", { name: "Calendar" }).click();
  await page.getByRole("grid").waitFor();
  expect(new URL(page.url()).searchParams.get("show")).toBe("calendar:releasedOn");
  await page.goto(`${list}&show=calendar:releasedOn&month=2026-11`);
  const day = (name: string) => page.getByRole("gridcell", { name });
  const seventeenth = day("Tuesday, 17 November 2026").or(day("Tuesday 17 November 2026"));
  await expect.poll(() => seventeenth.getByRole("link").count()).toBe(4);
  expect(await page.getByRole("columnheader").first().textContent()).toContain("Monday");
  await visit.rest();

  // The other records of the day are in the table, and going back is going to the calendar.
  await seventeenth.getByRole("link", { name: /^2 more on / }).click();
  await expect.poll(async () => (await titles(page)).length).toBe(5);
  await page.goBack();
  await expect.poll(() => seventeenth.getByRole("link").count()).toBe(4);

  // Only the days are asked for, and not the page of the table.
  const lists: string[] = [];
  page.on("request", (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname === "/api/products") lists.push(decodeURIComponent(search));
  });
  await page.reload();
  await expect.poll(() => seventeenth.getByRole("link").count()).toBe(4);
  expect(lists.filter((query) => !query.includes("filter[releasedOn]"))).toEqual([]);
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("dialog", { name: "Export 6 products" }).waitFor();
  await page.keyboard.press("Escape");

  // A filter of the list holds in the calendar.
  await page.goto(`${list}&filter[status]=live&show=calendar:releasedOn&month=2026-11`);
  await expect.poll(() => seventeenth.getByRole("link").allTextContents()).toEqual([first]);
  await ways.getByRole("link", { name: "Table" }).click();
  await expect.poll(() => titles(page)).toEqual([first]);
  await page.goBack();
  await seventeenth.getByRole("link", { name: first }).click();
  await page.getByRole("heading", { level: 1, name: first }).waitFor();
});

journey("a calendar is turned by buttons and by keys", async ({ stage, open, notByTouch }) => {
  notByTouch("it is about keys");
  const as = await stage.person("Turns", "admin");
  const name = `Turned ${as.email}`;
  const { category } = await products(stage, as, [name], () => ({ releasedOn: "2027-01-01" }));
  const at = `/data/products?filter[categoryId]=${category}&show=calendar:releasedOn&month=2026-11`;
  const { page } = await open({ as, at });
  const heading = page.getByRole("main").getByRole("heading", { level: 2 });
  await expect.poll(() => heading.textContent()).toBe("November 2026");
  await page.getByRole("button", { name: "Next month" }).click();
  await expect.poll(() => heading.textContent()).toBe("December 2026");
  await page.goBack();
  await expect.poll(() => heading.textContent()).toBe("November 2026");
  const focused = () => page.locator(":focus").getAttribute("data-day");
  await page.locator('td[data-day="2026-11-29"]').focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowDown");
  await expect.poll(focused).toBe("2026-12-07");
  await expect.poll(() => heading.textContent()).toBe("December 2026");
  await page.keyboard.press("PageDown");
  await expect.poll(() => heading.textContent()).toBe("January 2027");
  await expect.poll(focused).toBe("2027-01-07");
  await page.keyboard.press("PageUp");
  await page.keyboard.press("PageUp");
  await expect.poll(focused).toBe("2026-11-07");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("PageDown");
  await page.keyboard.press("ArrowUp");
  await expect.poll(focused).toBe("2026-12-31");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect.poll(() => page.locator(":focus").textContent()).toBe(name);
});

journey("a saved view opens as a calendar, also on a phone", async ({ stage, open }) => {
  const as = await stage.person("Keeps Months", "admin");
  const first = `First ${as.email}`;
  const second = `Second ${as.email}`;
  const names = [first, second];
  const { category } = await products(stage, as, names, (at) => ({
    soldOutAt: at === 0 ? "2026-11-03T12:00:00Z" : "2026-11-28T12:00:00Z",
  }));
  const at = `/data/products?filter[categoryId]=${category}&show=calendar:releasedOn&month=2026-11`;
  const visit = await open({ as, at });
  const { page } = visit;
  await page.getByLabel("By", { exact: true }).selectOption("Sold out at");
  await page.getByRole("link", { name: first }).waitFor();
  await page.getByRole("button", { name: "Save view" }).click();
  await page.getByLabel("Name of the view").fill("Sold out");
  await page.keyboard.press("Enter");
  const tab = page.getByRole("link", { name: /^Sold out\b/ });
  await tab.waitFor();
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: /^All/ }).click();
  await page.getByRole("grid").waitFor({ state: "detached" });
  await tab.click();
  await page.getByRole("gridcell").getByRole("link", { name: second }).waitFor();
  await page.reload();
  await page.getByRole("gridcell").getByRole("link", { name: second }).waitFor();
  await visit.rest();

  // On a phone, a day is below the other.
  const { url } = stage;
  const other = await open({ ...phone, as, at: page.url().slice(url.length) });
  await other.page.getByRole("heading", { level: 3 }).first().waitFor();
  const days = await other.page.getByRole("heading", { level: 3 }).allTextContents();
  expect(days.map((day) => /\d+/.exec(day)?.[0])).toEqual(["3", "28"]);
  await other.page.getByRole("link", { name: first }).waitFor();
  await other.rest();
  expect(await other.page.evaluate(smallTargets)).toEqual([]);
  await other.page.getByRole("button", { name: "Sort and display" }).tap();
  await other.page.getByRole("link", { name: "Table" }).tap();
  await expect.poll(async () => (await titles(other.page)).toSorted()).toEqual(names.toSorted());
});

journey.for([
  [1024, "ar-EG"],
  [820, "ja-JP"],
  [360, "de-DE"],
] as const)("a calendar fits %i px in %s", async ([width, locale], { stage, open }) => {
  const as = await stage.person("Fits", "admin");
  const name = `${"A long name ".repeat(6)}${as.email}`;
  const { category } = await products(stage, as, [name], () => ({ releasedOn: "2026-11-17" }));
  const at = `/data/products?filter[categoryId]=${category}&show=calendar:releasedOn&month=2026-11`;
  const visit = await open({ as, at, locale, viewport: { width, height: 800 } });
  await visit.page.getByRole("link", { name }).waitFor();
  await visit.rest();
  expect(await visit.page.evaluate(smallTargets)).toEqual([]);
  // What moves after a key is not counted.
  await visit.page.keyboard.press("Shift");
  await visit.page.evaluate("document.documentElement.dir = 'rtl'");
  await visit.rest();
});

journey("a month with more records than are read reports it", async ({ stage, open }) => {
  const as = await stage.person("Has Many", "admin");
  const category = await api(stage, "POST", "/categories", { name: `Many ${as.email}` });
  const { id } = category.body as { id: string };
  for (let part = 0; part < 6; part += 1) {
    const operations = Array.from({ length: 90 }, (_, at) => ({
      create: "products",
      values: {
        name: `Many ${part} ${at} ${as.email}`,
        price: 1,
        categoryId: id,
        releasedOn: `2026-11-${String(part * 5 + 1).padStart(2, "0")}`,
      },
    }));
    expect((await api(stage, "POST", "/_service/batch", { operations })).status).toBe(200);
  }
  const at = `/data/products?filter[categoryId]=${id}&show=calendar:releasedOn&month=2026-11`;
  const visit = await open({ as, at, locale: "en-GB" });
  const { page } = visit;
  await page
    .getByText(/^Only the first 500 records are shown, up to Thursday,? 26 November/)
    .waitFor();
  await page.getByRole("link", { name: /^47 or more on Thursday,? 26 November/ }).waitFor();
  await page
    .getByRole("link", { name: /^All records of the day on Friday,? 27 November/ })
    .waitFor();
  await visit.rest();
});
