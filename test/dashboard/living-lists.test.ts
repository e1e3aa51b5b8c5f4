import type { Page } from "playwright-core";
import { expect } from "vitest";
import { titles } from "./pages/list.js";
import { api, field, fresh, make, save } from "./pages/record.js";
import { api as apiOf } from "./support/api.js";
import { changesStage } from "./support/changes-stage.js";
import { journeyOn } from "./support/journey.js";
import { smallTargets } from "./support/targets.js";

const journey = journeyOn(changesStage);
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

/** When a list or a record has begun to follow. */
async function following(page: Page): Promise<void> {
  await page.waitForResponse((response) => response.url().includes("/_service/changes?"));
}

const button = (page: Page, many: number) =>
  page.getByRole("button", { name: `${many} new: show all goods as they are now` });

/** Where each row is on the screen. */
const places = (page: Page) =>
  page
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().top));

journey(
  "a list counts rows that others change, add and delete, and nothing moves until the reader asks",
  async ({ stage, open }) => {
    const as = await stage.person("Watches Lists", "clerk");
    const shelf = await make(stage, "shelves", { name: fresh("Watched") });
    const ids: string[] = [];
    for (const name of ["One", "Two", "Three"]) {
      const { id } = await make(stage, "goods", { name, price: 1, shelfId: shelf.id });
      ids.push(id);
    }
    const visit = await open({ as });
    const { page } = visit;
    const followed = following(page);
    await page.goto(`/data/goods?filter[shelfId]=${shelf.id}`);
    await expect.poll(() => titles(page)).toEqual(["Three", "Two", "One"]);
    await followed;
    const before = await places(page);

    // A change is there within moments, in its place, and marked for some.
    const row = page.getByRole("row", { name: /One/ });
    const marked = row.locator("td[data-fresh]").getByText("9.75").waitFor();
    await api(stage, "PATCH", `/goods/${ids[0]}`, { price: 9.75 });
    await marked;
    await visit.rest();

    // What is new is counted: not what is on another shelf, and not what is gone again.
    await make(stage, "goods", { name: "Elsewhere" });
    await make(stage, "goods", { name: "Four", shelfId: shelf.id });
    const five = await make(stage, "goods", { name: "Five", shelfId: shelf.id });
    await button(page, 2).waitFor();
    await api(stage, "DELETE", `/goods/${five.id}`);
    await button(page, 1).waitFor();
    await api(stage, "DELETE", `/goods/${ids[1]}`);
    await page.getByRole("link", { name: "No longer in this list: Two" }).waitFor();
    expect(await titles(page)).toEqual(["Three", "No longer in this list: Two", "One"]);
    expect(await places(page)).toEqual(before);
    await page.getByText("1–3 of 3").first().waitFor();
    await expect.poll(() => page.locator("td[data-fresh]").count()).toBe(0);

    await button(page, 1).press("Enter");
    await expect.poll(() => titles(page)).toEqual(["Four", "Three", "One"]);
    expect(await page.getByRole("button", { name: /new: show all/ }).count()).toBe(0);
    await visit.fits();

    // A change that takes a row out of the conditions.
    await api(stage, "PATCH", `/goods/${ids[2]}`, { shelfId: null });
    await page.getByRole("link", { name: "No longer in this list: Three" }).waitFor();
  },
);

journey("own writes are not counted as new", async ({ stage, open, notByTouch }) => {
  notByTouch("a cell is edited by a double click; on a phone a row is one card");
  const as = await stage.person("Writes Alone", "clerk");
  const shelf = await make(stage, "shelves", { name: fresh("Own") });
  const name = fresh("Own");
  await make(stage, "goods", { name, price: 1, shelfId: shelf.id });
  const { page } = await open({ as });
  const followed = following(page);
  await page.goto(`/data/goods?filter[shelfId]=${shelf.id}`);
  await page.getByRole("cell", { name: "1.00" }).waitFor();
  await followed;
  await page.getByRole("cell", { name: "1.00" }).dblclick();
  await page
    .getByRole("form", { name: `Price: ${name}` })
    .getByLabel("Price")
    .fill("2");
  await page.keyboard.press("Enter");
  await page.getByText(`${name} saved`).waitFor();
  await page.getByRole("cell", { name: "2.00" }).waitFor();
  // Another's change comes after one's own.
  const marked = page.locator("td[data-fresh]").getByText("live").waitFor();
  await api(stage, "PATCH", `/goods/${await idOf(page)}`, { state: "live" });
  await marked;
  expect(await page.locator("td[data-fresh]").allTextContents()).toEqual(["live"]);
});

async function idOf(page: Page): Promise<string> {
  return (await page.locator("tbody tr").first().getAttribute("data-id")) ?? "";
}

journey(
  "on a phone the number of new rows has a fixed place, by touch",
  async ({ stage, open }) => {
    const as = await stage.person("Watches Small", "clerk");
    const shelf = await make(stage, "shelves", { name: fresh("Small") });
    await make(stage, "goods", { name: "First", shelfId: shelf.id });
    const visit = await open({ ...phone, as });
    const { page } = visit;
    const followed = following(page);
    await page.goto(`/data/goods?filter[shelfId]=${shelf.id}`);
    await expect.poll(() => titles(page)).toEqual(["First"]);
    await followed;
    const before = await places(page);
    await make(stage, "goods", { name: "Second", shelfId: shelf.id });
    await button(page, 1).waitFor();
    expect(await places(page)).toEqual(before);
    await visit.fits();
    expect(await page.evaluate(smallTargets)).toEqual([]);
    await button(page, 1).tap();
    await expect.poll(() => titles(page)).toEqual(["Second", "First"]);
  },
);

journey("a list continues after its stream has ended", async ({ stage, open }) => {
  const as = await stage.person("Loses Streams", "clerk");
  const shelf = await make(stage, "shelves", { name: fresh("Broken") });
  const visit = await open({ as });
  visit.allow(/Failed to load resource|ERR_/);
  const { page, context } = visit;
  let isBroken = false;
  await context.route("**/_service/changes?**", (route) =>
    isBroken ? route.abort() : route.fallback(),
  );
  const followed = following(page);
  await page.goto(`/data/goods?filter[shelfId]=${shelf.id}`);
  await followed;
  isBroken = true;
  await context.setOffline(true);
  await make(stage, "goods", { name: "Meanwhile", shelfId: shelf.id });
  isBroken = false;
  await context.setOffline(false);
  await button(page, 1).waitFor();
});

journey(
  "a hidden page ends its stream, and continues when it is shown",
  async ({ stage, open }) => {
    const as = await stage.person("Hides Lists", "clerk");
    const shelf = await make(stage, "shelves", { name: fresh("Hidden") });
    const { page } = await open({ as });
    await page.clock.install();
    const followed = following(page);
    await page.goto(`/data/goods?filter[shelfId]=${shelf.id}`);
    await followed;
    const show = (state: "hidden" | "visible") =>
      page.evaluate(`
      Object.defineProperty(document, "visibilityState", { value: "${state}", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));`);
    const ended = page.waitForEvent("requestfailed", (one) => one.url().includes("/changes?"));
    await show("hidden");
    await page.clock.fastForward(9_000);
    await make(stage, "goods", { name: "Seen", shelfId: shelf.id });
    await button(page, 1).waitFor();
    await page.clock.fastForward(2_000);
    await ended;
    await make(stage, "goods", { name: "Missed", shelfId: shelf.id });
    await show("visible");
    await button(page, 2).waitFor();
  },
);

journey("without room for a stream, a list works as any other", async ({ stage, open }) => {
  const as = await stage.person("Has No Room", "clerk");
  const shelf = await make(stage, "shelves", { name: fresh("Full") });
  await make(stage, "goods", { name: "First", shelfId: shelf.id });
  const visit = await open({ as });
  visit.allow(/Failed to load resource.*503/);
  const { page, context } = visit;
  let asked = 0;
  await context.route("**/_service/changes?**", (route) => {
    asked += 1;
    const headers = { "retry-after": "5" };
    return route.fulfill({ status: 503, headers, json: { error: "Try again in a moment" } });
  });
  const refused = following(page);
  await page.goto(`/data/goods?filter[shelfId]=${shelf.id}`);
  await refused;
  await expect.poll(() => titles(page)).toEqual(["First"]);
  await make(stage, "goods", { name: "Second", shelfId: shelf.id });
  await visit.fits();
  expect(await page.getByRole("alert").allTextContents()).toEqual([]);
  expect(asked).toBe(1);
});

journey("a caller with read access to an open record is notified, too", async ({ stage, open }) => {
  const good = await make(stage, "goods", { name: fresh("Read Along"), price: 1 });
  const other = await apiOf(stage, await stage.person("Robert King", "clerk"));
  const visit = await open({ as: await stage.person("Reads Along") });
  const { page } = visit;
  const followed = following(page);
  await page.goto(`/data/goods/${good.id}`);
  await page.getByText("1.00").waitFor();
  await followed;
  await other("PATCH", `/goods/${good.id}`, { price: 2 });
  await page.getByText(/^Robert King saved this/).waitFor();
  await page.getByText("1.00").waitFor();
  await visit.rest();
  await page.getByRole("button", { name: "Show the new version" }).click();
  await page.getByText("2.00").waitFor();
});

journey(
  "an open record shows at once who saved it, and the merge is one press away",
  async ({ stage, open }) => {
    const as = await stage.person("Edits Along", "clerk");
    const other = await apiOf(stage, await stage.person("Andrew Fuller", "clerk"));
    const good = await make(stage, "goods", { name: fresh("Shared"), price: 1 });
    const visit = await open({ as });
    const { page } = visit;
    const followed = following(page);
    await page.goto(`/data/goods/${good.id}`);
    await field(page, "Price").fill("2");
    await followed;
    await other("PATCH", `/goods/${good.id}`, { price: 3 });
    await page.getByText(/^Andrew Fuller saved this/).waitFor();
    expect(await field(page, "Price").inputValue()).toBe("2");
    await visit.rest();
    await page.getByRole("button", { name: "Compare with mine" }).click();
    await page.getByRole("heading", { level: 1, name: "Two versions" }).waitFor();
    await page.getByRole("radio", { name: "Price: Mine" }).check();
    await page.getByRole("button", { name: "Save merged" }).click();
    await page.getByText(`${good.name} saved`).waitFor();
    // One's own save is no news.
    await other("PATCH", `/goods/${good.id}`, { description: "Theirs" });
    await page.getByText(/^Andrew Fuller saved this/).waitFor();
    await page.getByRole("button", { name: "Show the new version" }).click();
    expect(await field(page, "Description").inputValue()).toBe("Theirs");
    await field(page, "Price").fill("4");
    await save(page);
    await page.getByRole("button", { name: "Discard" }).waitFor({ state: "detached" });

    await other("DELETE", `/goods/${good.id}`);
    await page.getByText("This was deleted elsewhere.").waitFor();
    expect(await page.getByText(/saved this/).count()).toBe(0);
    await page.getByRole("button", { name: "See its history" }).click();
    await page.getByRole("heading", { level: 1, name: `${good.name} was deleted` }).waitFor();
    await page.getByRole("heading", { name: "Deleted by Andrew Fuller" }).waitFor();
  },
);

journey("an ended session asks to sign in, and the list continues", async ({ stage, open }) => {
  const as = await stage.person("Ends While Watching", "clerk");
  const { page } = await open({ as });
  const followed = following(page);
  await page.goto("/data/goods");
  await followed;
  await stage.app.db.query("delete from service.sessions where user_id = $1", [as.id]);
  await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
});

journey("a resource without changes opens no stream", async ({ stage, open }) => {
  const as = await stage.person("Watches Nothing", "clerk");
  const { page } = await open({ as });
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto("/data/shelves");
  await page.getByRole("heading", { level: 1, name: "Shelves" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(asked.filter((url) => /changes|position/.test(url))).toEqual([]);
});
