import type { Page } from "playwright-core";
import { expect } from "vitest";
import { products } from "./pages/list.js";
import { api, fresh, make } from "./pages/record.js";
import { journey } from "./support/journey.js";

/** What Ctrl V does with that text on the clipboard, where the focus is. */
const paste = (page: Page, text: string) =>
  page.evaluate(
    `(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", ${JSON.stringify(text)});
      const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
      document.activeElement.dispatchEvent(event);
    })()`,
  );

journey(
  "cells of a spreadsheet are pasted, with a preview first",
  async ({ stage, open, notByTouch }) => {
    notByTouch("cells are pasted with keys");
    const as = await stage.person("Pastes", "admin");
    const names = [`Ash ${as.email}`, `Elm ${as.email}`, `Oak ${as.email}`];
    const { category, ids } = await products(stage, as, names, () => ({ stock: 1 }));
    const herbal = await make(stage, "categories", { name: fresh("Herbal") });
    const at = `/data/products?filter[categoryId]=${category}&sort=price`;
    const visit = await open({ as, at, locale: "en-US" });
    const { page } = visit;
    const record = async (place: number) =>
      (await api(stage, "GET", `/products/${ids[place]}`)).body as Readonly<
        Record<string, unknown>
      >;
    const row = page
      .getByRole("row")
      .filter({ has: page.getByRole("link", { name: names[0] ?? "" }) });
    await row.waitFor();
    // By the keyboard alone: the row, then its cells.
    const focusFirst = async (field: string) => {
      await page.locator(`tr[data-id="${ids[0]}"] td[data-field="${field}"]`).focus();
    };
    await focusFirst("categoryId");
    await paste(page, `${herbal.name}\t1,234.50\r\nNo such\t-2\r\nx\ty\r\nz\t1\r\n`);
    const dialog = page.getByRole("dialog", { name: "Paste 2 values into 1 row?" });
    await dialog.getByText("1 row does not fit on this page.").waitFor();
    await dialog.getByText("4 values cannot be used and are left out:").waitFor();
    await dialog.getByRole("cell", { name: "1.00 1234.50" }).waitFor();
    await visit.rest();
    expect(await record(0)).toMatchObject({ price: 1 });
    await dialog.getByRole("button", { name: "Change 2 values" }).click();
    await page.getByText("1 of 1 product changed").waitFor();
    expect(await record(0)).toMatchObject({ price: 1234.5, categoryId: herbal.id });
    // The row stays in its place, and so does the focus.
    await row.getByRole("cell", { name: "1,234.50" }).waitFor();
    await page.keyboard.press("Control+z");
    await page.getByText("Undone: 1 of 1 product").waitFor();
    expect(await record(0)).toMatchObject({ price: 1, categoryId: category });

    // What somebody else has changed meanwhile stays as it is.
    await focusFirst("price");
    await api(stage, "PATCH", `/products/${ids[1]}`, { stock: 9 });
    await paste(page, "11\n12\n13");
    await page.getByRole("button", { name: "Change 3 values" }).click();
    await page.getByText("1 was refused and has not changed.").waitFor();
    await visit.rest();
    await page.getByRole("button", { name: "Close" }).last().click();
    expect((await Promise.all([0, 1, 2].map(record))).map(({ price }) => price)).toEqual([
      11, 2, 13,
    ]);

    await focusFirst("price");
    await paste(page, "1\n".repeat(101));
    await page.getByRole("dialog", { name: "This is too much to paste" }).waitFor();
    await visit.rest();
  },
);
