import { expect } from "vitest";
import { products, titles } from "./pages/list.js";
import { fresh } from "./pages/record.js";
import { journey } from "./support/journey.js";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true } as const;

journey(
  "a view is shared with all who may list, and changed by its author alone",
  async ({ stage, open }) => {
    const author = await stage.person("Shares Views", "editor");
    const names = [fresh("Shared"), fresh("Left out")];
    const { category } = await products(stage, author, names);
    const one = await open({
      as: author,
      at: `/data/products?filter[categoryId]=${category}&filter[price][lt]=2`,
    });
    const name = fresh("Cheap ones");
    await one.page.getByText("1–1 of 1").waitFor();
    await one.page.getByRole("button", { name: "Save view" }).click();
    await one.page.getByLabel("Name of the view").fill(name);
    await one.page.getByRole("switch", { name: "For all users who may list products" }).check();
    await one.rest();
    await one.page.keyboard.press("Enter");
    const tab = { name: new RegExp(`^Shared: ?${name}`) };
    await one.page.getByRole("link", tab).waitFor();
    await one.rest();

    const reader = await stage.person("Reads Views");
    const other = await open({ ...phone, as: reader, at: "/data/products" });
    await other.page.getByRole("link", tab).tap();
    await expect.poll(() => titles(other.page)).toEqual([names[0]]);
    await other.page.getByRole("button", { name: "Sort and display" }).tap();
    await other.page.getByRole("button", { name: "View", exact: true }).tap();
    await other.page.getByRole("menuitem", { name: "Save as another view…" }).waitFor();
    expect(await other.page.getByRole("menuitem").count()).toBe(1);
    await other.page.keyboard.press("Escape");
    await other.page.keyboard.press("Escape");

    // Its author changes it for everybody.
    await one.page.getByRole("button", { name: "View", exact: true }).click();
    await one.page.getByRole("menuitem", { name: "Rename this view…" }).click();
    await one.page.getByLabel("Name of the view").fill(`${name} now`);
    await one.page.keyboard.press("Enter");
    await one.page.getByText(`View ${name} now saved`).waitFor();
    await other.page.reload();
    await other.page.getByRole("link", { name: new RegExp(`${name} now`) }).waitFor();
    await one.page.getByRole("button", { name: "View", exact: true }).click();
    await one.page.getByRole("menuitem", { name: "Delete this view for everyone" }).click();
    await one.page.getByText(`View ${name} now deleted`).waitFor();
    expect(await one.page.getByRole("link", tab).count()).toBe(0);
  },
);
