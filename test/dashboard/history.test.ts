import sharp from "sharp";
import { expect } from "vitest";
import { api, field, fresh, make, save } from "./pages/record.js";
import { api as apiOf } from "./support/api.js";
import { changesStage } from "./support/changes-stage.js";
import { journeyOn } from "./support/journey.js";
import type { Stage } from "./support/stage.js";
import { smallTargets } from "./support/targets.js";

const journey = journeyOn(changesStage);
const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

journey(
  "a history shows who changed what, and restores one value or a whole version",
  async ({ stage, open }) => {
    const as = await stage.person("Reads Histories", "clerk");
    const other = await apiOf(stage, await stage.person("Nancy Davolio", "clerk"));
    const [west, east] = [
      await make(stage, "shelves", { name: fresh("West") }),
      await make(stage, "shelves", { name: fresh("East") }),
    ];
    const name = fresh("Chai");
    const good = await other<{ id: string }>("POST", "/goods", {
      ...{ name, price: 4.5, shelfId: west.id },
      description: "Black tea with milk and spices",
    });
    await other("PATCH", `/goods/${good.id}`, { price: 5, shelfId: east.id });
    await other("PATCH", `/goods/${good.id}`, {
      description: "Black tea with oat milk and spices",
    });

    const visit = await open({ as, at: `/data/goods/${good.id}` });
    const { page } = visit;
    await page.getByRole("link", { name: "History" }).click();
    const entries = page.getByRole("list", { name: "History" }).getByRole("listitem");
    await expect.poll(() => entries.count()).toBe(3);
    await page.getByRole("heading", { name: "Created by Nancy Davolio" }).waitFor();
    expect(await entries.nth(0).locator("ins").textContent()).toContain("oat");
    await entries.nth(1).getByText(String(west.name)).waitFor();
    await entries.nth(1).getByText(String(east.name)).waitFor();
    await entries.nth(2).getByText("Show 5 values").click();
    await visit.rest();

    // One value, as any other save; what was typed into the form stays there.
    await page.getByRole("link", { name: "Details" }).click();
    await field(page, "Name").fill(`${name} typed`);
    await page.getByRole("link", { name: "History" }).click();
    await page.getByRole("button", { name: "Put back: Price" }).click();
    await page.getByText(`${name}: Price has its earlier value again`).waitFor();
    await page.getByRole("heading", { name: "Changed by you" }).waitFor();
    expect(await api(stage, "GET", `/goods/${good.id}`)).toMatchObject({
      body: { price: 4.5, shelfId: east.id },
    });
    await page.getByRole("link", { name: "Details" }).click();
    expect(await field(page, "Price").inputValue()).toBe("4.50");
    expect(await field(page, "Name").inputValue()).toBe(`${name} typed`);
    await page.getByRole("button", { name: "Discard" }).click();

    // A whole version, and undone again.
    await page.getByRole("link", { name: "History" }).click();
    await entries
      .nth(3)
      .getByRole("button", { name: /^Restore this version/ })
      .click();
    await page.getByText(`${name} was restored to its version of`).first().waitFor();
    const restored = await api(stage, "GET", `/goods/${good.id}`);
    expect(restored.body).toMatchObject({
      ...{ price: 4.5, shelfId: west.id, description: "Black tea with milk and spices" },
    });
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText(`${name} is as before`).waitFor();
    const undone = await api(stage, "GET", `/goods/${good.id}`);
    expect(undone.body).toMatchObject({
      ...{ price: 4.5, shelfId: east.id, description: "Black tea with oat milk and spices" },
    });

    // A version that cannot be written any more says why.
    await api(stage, "DELETE", `/shelves/${west.id}`);
    const last = entries.last();
    await last.getByRole("button", { name: /^Restore this version/ }).click();
    await last.getByText(/^Shelf: /).waitFor();
  },
);

journey(
  "long texts are cut until they are opened, and older entries are loaded by pages",
  async ({ stage, open }) => {
    const as = await stage.person("Reads Long Ones", "clerk");
    const name = fresh("Long");
    const words = `${"word ".repeat(300)}`;
    const good = await make(stage, "goods", { name, description: `${words}first` });
    await api(stage, "PATCH", `/goods/${good.id}`, { description: `${words}second` });
    for (let price = 1; price <= 26; price += 1) {
      await api(stage, "PATCH", `/goods/${good.id}`, { price });
    }
    const visit = await open({ ...phone, as, at: `/data/goods/${good.id}/_history` });
    const { page } = visit;
    const entries = page.getByRole("list", { name: "History" }).getByRole("listitem");
    await expect.poll(() => entries.count()).toBe(25);
    await visit.rest();
    expect(await page.evaluate(smallTargets)).toEqual([]);
    await page.getByRole("button", { name: "Show older changes" }).tap();
    await expect.poll(() => entries.count()).toBe(28);
    const text = entries.nth(26);
    expect(await text.locator("ins").count()).toBe(0);
    await text.getByRole("button", { name: "Show the whole text: Description" }).tap();
    await expect.poll(() => text.locator("ins").textContent()).toContain("second");
    await page.getByText("Changes are kept for 400 days.").waitFor();
  },
);

journey(
  "deleted records are restored: by undo, and later by their address",
  async ({ stage, open }) => {
    const as = await stage.person("Deletes Well", "clerk");
    const name = fresh("Ikura");
    const good = await make(stage, "goods", { name, price: 31 });
    const visit = await open({ as, at: `/data/goods/${good.id}` });
    const { page } = visit;
    const remove = async () => {
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      const question = page.getByRole("alertdialog");
      await question.getByText("It can be restored from its history").waitFor();
      await question.getByRole("button", { name: "Delete good" }).click();
      await page.getByText(`${name} deleted`).waitFor();
    };
    await remove();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText(`${name} is restored`).waitFor();
    await page.goto(`/data/goods/${good.id}`);
    await page.getByRole("heading", { level: 1, name }).waitFor();
    expect(await field(page, "Price").inputValue()).toBe("31.00");

    await remove();
    await page.goto(`/data/goods/${good.id}`);
    await page.getByRole("heading", { level: 1, name: `${name} was deleted` }).waitFor();
    await page.getByRole("heading", { name: "Deleted by you" }).first().waitFor();
    await visit.rest();
    await page.getByRole("button", { name: "Restore it" }).click();
    await page.getByText(`${name} is restored`).waitFor();
    await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
    await field(page, "Price").fill("32");
    await save(page);
    await page.getByText(`${name} saved`).waitFor();
  },
);

/** The key of a picture of that colour. */
async function pictureOf(stage: Stage, background: string): Promise<string> {
  const create = { width: 40, height: 30, channels: 3, background } as const;
  const answer = await fetch(`${stage.app.url}/api/_service/uploads/goods/photo?name=tea.png`, {
    method: "PUT",
    headers: { accept: "application/json", authorization: `Bearer ${stage.app.token}` },
    body: new Uint8Array(await sharp({ create }).png().toBuffer()),
  });
  return ((await answer.json()) as { readonly key: string }).key;
}

journey(
  "pictures of a history are drawn, and a previous one is restored",
  async ({ stage, open }) => {
    const [red, blue] = [await pictureOf(stage, "red"), await pictureOf(stage, "blue")];
    const good = await make(stage, "goods", { name: fresh("Drawn"), photo: red });
    await api(stage, "PATCH", `/goods/${good.id}`, { photo: blue });
    const as = await stage.person("Looks Back", "clerk");
    const { page } = await open({ as, at: `/data/goods/${good.id}/_history` });
    const pictures = page.getByRole("list", { name: "History" }).locator("li img");
    await expect.poll(() => pictures.count()).toBe(3);
    const widthOf = (image: unknown) => (image as { naturalWidth: number }).naturalWidth;
    for (const at of [0, 1]) {
      await expect.poll(() => pictures.nth(at).evaluate(widthOf)).toBe(40);
    }
    await page.getByRole("button", { name: "Put back: Photo" }).click();
    await page.getByText(/Photo has its earlier value again/).waitFor();
    expect(await api(stage, "GET", `/goods/${good.id}`)).toMatchObject({ body: { photo: red } });
  },
);

journey(
  "a history names the service token and the job that made a change",
  async ({ stage, open }) => {
    const as = await stage.person("Reads Programs", "clerk");
    const other = await stage.person("Owns A Program", "clerk");
    const good = await make(stage, "goods", { name: fresh("Programmed") });
    const named = (name: string) => Buffer.from(name).toString("base64");
    const writers = [`job ${named("nightly")}`, `${other.id} ${named("Imports")}`];
    for (const [price, writer] of writers.entries()) {
      await stage.app.db.query(
        `with who as (select set_config('service.account', $3, true) as noted)
       update goods set price = $2 from who where id = $1 and noted is not null`,
        [good.id, price + 1, writer],
      );
    }
    const { page } = await open({ as, at: `/data/goods/${good.id}/_history` });
    const entries = page.getByRole("list", { name: "History" }).getByRole("listitem");
    const head = (at: number) => entries.nth(at).getByRole("heading").textContent();
    await expect.poll(() => entries.count()).toBe(3);
    expect([await head(0), await head(1)]).toEqual([
      "Changed by Owns A Program with the service token “Imports”",
      "Changed by the job nightly",
    ]);
  },
);

journey(
  "a caller with read access sees a history, and no way to write",
  async ({ stage, open }) => {
    const good = await make(stage, "goods", { name: fresh("Read"), price: 1 });
    await api(stage, "PATCH", `/goods/${good.id}`, { price: 2 });
    const as = await stage.person("Only Reads");
    const { page } = await open({ as, at: `/data/goods/${good.id}/_history` });
    const entries = page.getByRole("list", { name: "History" }).getByRole("listitem");
    await expect.poll(() => entries.count()).toBe(2);
    expect(await page.getByRole("button", { name: /Put back|Restore/ }).count()).toBe(0);
    // A resource without one has no such tab, and none can be called.
    const shelf = await make(stage, "shelves", { name: fresh("Plain") });
    await page.goto(`/data/shelves/${shelf.id}`);
    await page.getByRole("heading", { level: 1, name: String(shelf.name) }).waitFor();
    await page
      .getByRole("link", { name: /^Goods/ })
      .last()
      .waitFor();
    expect(await page.getByRole("link", { name: "History" }).count()).toBe(0);
  },
);
