import { expect } from "vitest";
import { openDemo } from "../support/apps/seeded-demo.js";
import { journeyOn } from "./support/journey.js";
import { openStage, sharedStage } from "./support/stage.js";

const demoJourney = journeyOn(() =>
  sharedStage("demo", () =>
    openStage("apps/shop", {}, async (shop) => {
      const demo = await openDemo(shop, new Date());
      expect(await demo.seed()).toMatchObject({ kind: "done" });
      await demo.close();
    }),
  ),
);

demoJourney(
  "the demo's home has full tiles, a quarter of bars, sales by customer, and pictures",
  async ({ stage, open }) => {
    const as = await stage.person("Newcomer", "admin");
    const visit = await open({ as, at: "/", viewport: { width: 1440, height: 900 } });
    const { page } = visit;
    const tiles = page.getByRole("region", { name: "Resources" }).getByRole("listitem");
    await tiles.first().getByText("new").waitFor();
    const fresh = (await tiles.allTextContents()).map((text) => /([\d,]+) new/.exec(text)?.[1]);
    expect(fresh).toHaveLength(5);
    for (const count of fresh) expect(Number(count?.replace(",", ""))).toBeGreaterThan(5);

    const below = page.getByRole("region", { name: "Shown below" });
    await below.getByRole("img", { name: / by week\. 1[34] bars/ }).waitFor();
    await below.getByRole("button", { name: /^Show as table: .* by week/ }).click();
    const rows = await below.getByRole("table").first().getByRole("row").allTextContents();
    const empty = rows.slice(1).filter((text) => /\D0$/.test(text));
    // The first week, or the last one, may have only begun.
    expect(empty.length, rows.join("\n")).toBeLessThanOrEqual(1);
    expect(await below.getByRole("link").count()).toBeGreaterThan(5);

    await page.goto("/data/products");
    const pictures = page.getByRole("table").locator("img");
    await pictures.first().waitFor();
    const widthOf = (image: unknown) => (image as { naturalWidth: number }).naturalWidth;
    const widths = async () =>
      Promise.all((await pictures.all()).map((one) => one.evaluate(widthOf)));
    await expect.poll(async () => (await widths()).filter((width) => width > 0).length).toBe(25);
  },
);
