import { expect } from "vitest";
import { api, field, pick, save } from "./pages/record.js";
import { hasRun } from "./support/hostile.js";
import { long, manyJourney } from "./support/many.js";

manyJourney(
  "a record is created, linked, shown by its tabs, changed, and protected by its related records",
  long,
  async ({ stage, open }) => {
    const as = await stage.person("Nancy Davolio", "admin");
    const visit = await open({ as, at: "/data/regions" });
    const { page } = visit;
    await page.getByText("There are no regions yet.").waitFor();
    await visit.rest();
    await page.getByRole("link", { name: "New region" }).first().click();
    await field(page, "Number").fill("1");
    await field(page, "Name").fill("Northern");
    await save(page);
    await page.getByRole("heading", { level: 1, name: "Northern" }).waitFor();
    const tabs = page.getByRole("navigation", { name: "Region", exact: true });
    await tabs.getByRole("link", { name: "Territories 0" }).click();
    await page.getByText("Territories: none yet.").waitFor();
    await page.getByRole("link", { name: "New territory" }).click();
    const region = page.getByRole("combobox", { name: "Region" });
    await expect.poll(() => region.inputValue()).toBe("Northern");
    await field(page, "Code").fill("55x");
    await field(page, "Name").fill("Eagan");
    await save(page);
    await page.getByRole("alert").filter({ hasText: "1 field needs attention" }).waitFor();
    await field(page, "Code").fill("55121");
    await save(page);
    await page.getByRole("heading", { level: 1, name: "55121" }).waitFor();
    await page.goto("/data/territories");
    await page.getByRole("row", { name: /Eagan/ }).getByRole("link", { name: "Northern" }).click();
    await tabs.getByRole("link", { name: "Territories 1" }).waitFor();
    await field(page, "Name").fill("Northern Plains");
    await save(page);
    await page.getByRole("heading", { level: 1, name: "Northern Plains" }).waitFor();
    await tabs.getByRole("link", { name: "Territories 1" }).click();
    await page.getByRole("table").getByRole("link", { name: "55121" }).waitFor();

    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Delete Northern Plains?" });
    await dialog.getByText("Territory: 1 still belongs to it").waitFor();
    const button = dialog.getByRole("button", { name: "Delete region" });
    expect(await button.getAttribute("aria-disabled")).toBe("true");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("table").getByRole("link", { name: "55121" }).click();
    await page.getByRole("heading", { level: 1, name: "55121" }).waitFor();
    for (const [title, thing, things] of [
      ["55121", "territory", "Territories"],
      ["Northern Plains", "region", "Regions"],
    ]) {
      if (thing === "region") {
        await page.goto("/data/regions");
        await page.getByRole("link", { name: title ?? "", exact: true }).click();
        await page.getByRole("heading", { level: 1, name: title ?? "" }).waitFor();
      }
      await page.getByRole("button", { name: "More actions" }).click();
      await page.getByRole("menuitem", { name: "Delete…" }).click();
      await page.getByRole("button", { name: `Delete ${thing}` }).click();
      await page.getByRole("heading", { level: 1, name: things ?? "" }).waitFor();
    }
  },
);

manyJourney(
  "sixty fields of all kinds are filled in, refused and saved",
  long,
  async ({ stage, open }) => {
    const as = await stage.person("Margaret Peacock", "admin");
    const visit = await open({ as, at: "/data/everything/new" });
    const { page } = visit;
    await field(page, "String0").waitFor();
    await visit.rest();
    // A heading says it once for all fields below it.
    await page.getByRole("heading", { name: "Optional" }).waitFor();
    expect(
      await page.getByText("optional", { exact: true }).filter({ visible: true }).count(),
    ).toBe(0);
    for (const width of [360, 768]) {
      await page.setViewportSize({ width, height: 800 });
      await visit.fits();
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    const wrong = { String1: "nobody", String3: "ab-1", String4: "ab", Number0: "11" };
    for (const [label, text] of Object.entries(wrong)) await field(page, label).fill(text);
    await save(page);
    await page.getByRole("alert").filter({ hasText: "5 fields need attention." }).waitFor();
    await page.getByRole("alert").getByRole("link", { name: "String0" }).click();
    expect(await page.evaluate("document.activeElement.name")).toBe("string0");
    const right = {
      String0: "All of it",
      String1: "all@example.com",
      String3: "AB-123",
      String4: "abc",
      Text2: "Five or more.",
      Number0: "10",
      Number1: "1234.5",
      Number2: "0.0001",
      Number3: "1e-7",
      Date0: "2024-02-29",
      Timestamp0: "2026-11-21T15:02",
    };
    for (const [label, text] of Object.entries(right)) await field(page, label).fill(text);
    await page.getByLabel("Enum1").selectOption("choice 4");
    await page.getByLabel("Enum2").selectOption("choice 12");
    await pick(page, "Enum3", "choice 60");
    await pick(page, "Enum5", "choice 200");
    await pick(page, "Link0", as.name);
    await page.getByLabel("Boolean1").selectOption("No");
    await save(page);
    await page.getByRole("heading", { level: 1, name: "All of it" }).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1);
    expect((await api(stage, "GET", `/everything/${id}`)).body).toMatchObject({
      string0: "All of it",
      string3: "AB-123",
      text1: "As usual.",
      number0: 10,
      number1: 1234.5,
      number2: 0.0001,
      number3: 1e-7,
      boolean0: true,
      boolean1: false,
      enum1: "choice 4",
      enum2: "choice 12",
      enum3: "choice 60",
      enum5: "choice 200",
      date0: "2024-02-29",
      link0Id: as.id,
    });
    await visit.rest();
    await page.goto("/data/everything");
    await page.getByRole("link", { name: "All of it", exact: true }).waitFor();
    await page.getByRole("button", { name: "Columns", exact: true }).click();
    await visit.rest();
    expect(await page.getByRole("checkbox", { name: /^(?:String|Number|Date)\d$/ }).count()).toBe(
      17,
    );
  },
);

manyJourney(
  "a hundred resources are found by the navigation's filter and the jump",
  long,
  async ({ stage, open }) => {
    const as = await stage.person("Andrew Fuller", "admin");
    let asked = 0;
    const visit = await open({ as });
    const { page } = visit;
    page.on("request", (request) => {
      if (request.url().includes("/_stats")) asked += 1;
    });
    await page.goto("/");
    await page.getByRole("heading", { level: 1, name: "Hello, Andrew Fuller" }).waitFor();
    await visit.rest();
    // Tiles ask for what is looked at.
    expect(asked).toBeLessThan(60);
    const side = page.getByRole("navigation", { name: "Resources" });
    expect(await side.getByRole("link").count()).toBeGreaterThanOrEqual(100);
    await side.getByRole("searchbox").fill("small 77");
    await expect.poll(() => side.getByRole("link").allTextContents()).toEqual(["Home", "Small 77"]);
    await side.getByRole("link", { name: "Small 77" }).click();
    await page.getByRole("heading", { level: 1, name: "Small 77" }).waitFor();
    for (const width of [768, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole("button", { name: "Open the menu" }).click();
      await page.getByRole("dialog").getByRole("link", { name: "Order details" }).waitFor();
      await visit.rest();
      await page.keyboard.press("Escape");
    }
    await page.keyboard.press("Control+k");
    await page
      .getByRole("combobox", { name: "Jump to a page or a record, or run an action" })
      .fill("us stat");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "US states" }).waitFor();
    expect(await page.evaluate(hasRun)).toBe(false);
  },
);

manyJourney(
  "a resource without fields has a list, a form and a record",
  long,
  async ({ stage, open }) => {
    const as = await stage.person("Steven Buchanan", "admin");
    const visit = await open({ as, at: "/data/blanks/new" });
    const { page } = visit;
    await page.getByText("It has no other fields.").waitFor();
    await visit.rest();
    await save(page);
    await page.getByText(/ created$/).waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await page.getByRole("heading", { level: 1, name: id.slice(-8) }).waitFor();
    await visit.rest();
    await page.goto("/data/blanks");
    await page.getByRole("link", { name: id.slice(-8), exact: true }).waitFor();
    await visit.rest();
    await page.goto("/data/blanks/charts");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await visit.rest();
  },
);
