import type { Page, Request } from "playwright-core";
import { expect } from "vitest";
import { products, titles } from "./pages/list.js";
import { fresh, makeProduct } from "./pages/record.js";
import { journey } from "./support/journey.js";

journey(
  "a screen that was never loaded appears by itself once the network returns",
  async ({ stage, open }) => {
    const visit = await open({ as: await stage.person("Offline", "admin") });
    const { page, context } = visit;
    visit.allow(/ERR_INTERNET_DISCONNECTED|dynamically imported module|preload CSS/);
    // A phone has the menu by then.
    await openAndLoadAhead(page, "/data/products");
    await context.setOffline(true);
    await page.getByRole("link", { name: "Accounts" }).first().click();
    await page
      .getByText("There is no network. This page will load when the network is back.")
      .waitFor();
    await context.setOffline(false);
    await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
    await page.getByRole("link", { name: "Offline" }).first().waitFor();
  },
);

journey("screens that have not been opened yet are preloaded", async ({ stage, open }) => {
  const visit = await open({ as: await stage.person("Looks Ahead", "admin") });
  const { page, context } = visit;
  await openAndLoadAhead(page, "/data/products");
  await context.setOffline(true);
  await page.getByRole("link", { name: "Import", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Import products" }).waitFor();
});

journey(
  "a list keeps its rows without a network, and shows their time",
  async ({ stage, open, notByTouch }) => {
    notByTouch("the head of a column sorts; on a phone the order is a choice");
    const admin = await stage.person("Keeps Rows", "admin");
    const names = [fresh("Kept B"), fresh("Kept A")];
    const { category } = await products(stage, admin, names);
    const at = `/data/products?filter[categoryId]=${category}`;
    const visit = await open({ as: admin, at });
    const { page, context } = visit;
    visit.allow(/ERR_INTERNET_DISCONNECTED/);
    await page.getByText("1–2 of 2").waitFor();
    const before = await titles(page);
    await context.setOffline(true);
    await page.getByRole("button", { name: "Price" }).click();
    await page.getByText(/^The server cannot be reached\..* The rows are as they were /).waitFor();
    expect(await titles(page)).toEqual(before);
    // What was asked for comes by itself.
    await context.setOffline(false);
    await page.getByText(/The rows are as they were/).waitFor({ state: "detached" });
    await page
      .getByRole("columnheader", { name: "Price" })
      .and(page.locator("[aria-sort]"))
      .waitFor();
  },
);

journey(
  "a 503 is reported as the server's problem, not the connection's",
  async ({ stage, open }) => {
    await makeProduct(stage);
    const visit = await open({ as: await stage.person("Outage", "admin"), at: "/" });
    const { page } = visit;
    visit.allow(/status of 503/);
    await page.route(/\/api\/products\?/, (route) => route.fulfill({ status: 503, body: "{}" }));
    await page.goto("/data/products");
    await page
      .getByText("The server cannot respond at the moment. Try again in a while.")
      .waitFor();
    await page.unroute(/\/api\/products\?/);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table").waitFor();
  },
);

/** Opens a page, and waits for what it loads some seconds later without having been asked. */
async function openAndLoadAhead(page: Page, at: string): Promise<void> {
  const scripts = { asked: 0, pending: 0 };
  const isScript = (request: Request) => request.resourceType() === "script";
  const isOver = (request: Request) => {
    if (isScript(request)) scripts.pending -= 1;
  };
  page.on("request", (request) => {
    if (!isScript(request)) return;
    scripts.asked += 1;
    scripts.pending += 1;
  });
  page.on("requestfinished", isOver);
  page.on("requestfailed", isOver);
  await page.goto(at);
  await page.getByRole("heading", { level: 1, name: "Products" }).waitFor();
  await page.waitForLoadState("networkidle");
  const { asked } = scripts;
  await expect.poll(() => scripts.asked > asked && scripts.pending === 0).toBe(true);
}
