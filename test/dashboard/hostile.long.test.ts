import { expect } from "vitest";
import { api, field, type Made, make, makeAs, save } from "./pages/record.js";
import { hasRun, hostile } from "./support/hostile.js";
import { long, manyJourney } from "./support/many.js";
import type { Stage } from "./support/stage.js";
import type { Visit } from "./support/visit.js";

/** Records whose every value is hostile, in a resource whose every word is. */
async function hostiles(stage: Stage): Promise<readonly Made[]> {
  const parent = await make(stage, "hostiles", { name: hostile.html });
  const names = [hostile.rightToLeft, hostile.emoji, hostile.wide, hostile.template];
  const children = await Promise.all(
    names.map((name) =>
      make(stage, "hostiles", {
        name,
        markup: hostile.html.repeat(100),
        emoji: hostile.emoji,
        rightToLeft: hostile.rightToLeft,
        prose: `${hostile.template}\n${hostile.wide}\n${hostile.html}`,
        choice: name,
        few: hostile.wide,
        amount: -1e20,
        parentId: parent.id,
      }),
    ),
  );
  return [parent, ...children];
}

async function sound(visit: Visit): Promise<void> {
  const { page } = visit;
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    await visit.fits();
  }
  await visit.rest();
  expect(await page.evaluate(hasRun)).toBe(false);
}

manyJourney(
  "hostile texts in descriptors and values run nothing and break no screen",
  long,
  async ({ stage, open }) => {
    const as = await stage.person("Brave", "admin");
    await stage.app.db.query("update service.users set name = $2 where id = $1", [
      as.id,
      hostile.html,
    ]);
    const [parent, , , wide] = await hostiles(stage);
    const visit = await open({ as, at: "/" });
    const { page } = visit;
    await sound(visit);
    await page.goto(`/data/hostiles?filter[name][contains]=${encodeURIComponent(hostile.html)}`);
    await page.locator("tbody tr").first().waitFor();
    await sound(visit);
    await page.goto(`/data/hostiles?filter[choice]=${encodeURIComponent(hostile.wide)}`);
    await page.locator("tbody tr").first().waitFor();
    await sound(visit);
    await page.getByRole("button", { name: "Columns", exact: true }).click();
    await visit.rest();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Filter", exact: true }).click();
    await page.getByLabel("Field").selectOption("choice");
    await sound(visit);
    await page.keyboard.press("Escape");
    await page.getByRole("row").nth(1).getByRole("checkbox").check();
    await page.getByRole("button", { name: "Edit…" }).click();
    await page.getByRole("dialog").getByLabel("Field").selectOption("few");
    await sound(visit);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox").fill("onerror");
    await sound(visit);
    await page.keyboard.press("Escape");

    await page.goto(`/data/hostiles/${wide?.id}`);
    await field(page, hostile.emoji).waitFor();
    await sound(visit);
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete…" }).click();
    await page.getByRole("alertdialog").waitFor();
    await sound(visit);
    await page.keyboard.press("Escape");
    // Somebody else changes what is modified here.
    await field(page, hostile.emoji).fill(hostile.html);
    await page.getByRole("textbox", { name: hostile.rightToLeft }).fill(hostile.wide);
    await api(stage, "PATCH", `/hostiles/${wide?.id}`, {
      emoji: hostile.template,
      rightToLeft: hostile.emoji,
      markup: hostile.rightToLeft,
    });
    await save(page);
    await page.getByRole("heading", { name: "Two versions" }).waitFor();
    await sound(visit);
    await page.getByRole("button", { name: "Discard mine, show theirs" }).click();

    await page.goto(`/data/hostiles/${parent?.id}/children`);
    await page.getByRole("table").waitFor();
    await sound(visit);
    await page.goto("/data/hostiles/charts");
    await page.getByRole("table").first().waitFor();
    await sound(visit);
    await page.goto("/data/hostiles/import");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await sound(visit);
  },
);

manyJourney(
  "a caller with read access sees hostile contents displayed correctly",
  long,
  async ({ stage, open }) => {
    const { id } = await makeAs(stage, "editor", "cases", { subject: hostile.wide });
    const as = await stage.person("Reader");
    const visit = await open({ as, at: `/data/cases/${id}` });
    await visit.page.getByText("You may read this but not change it.").waitFor();
    await sound(visit);
  },
);
