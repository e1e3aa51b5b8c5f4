import { expect } from "vitest";
import { makeProduct } from "./pages/record.js";
import { findings, ofColours } from "./support/axe.js";
import { journey } from "./support/journey.js";
import { everyPath } from "./support/paths.js";
import { cutWords, lostStops } from "./support/reading.js";

interface Way {
  readonly name: string;
  readonly media: { readonly forcedColors?: "active"; readonly contrast?: "more" };
  readonly width: number;
  readonly height: number;
}

/** How people read who see little; each has its own look, and is tried in a window of another size. */
const ways: readonly Way[] = [
  { name: "1280 pixels at 200 %", media: {}, width: 640, height: 400 },
  { name: "1280 pixels at 400 %", media: {}, width: 320, height: 256 },
  { name: "a small phone", media: { contrast: "more" }, width: 320, height: 568 },
  { name: "more contrast", media: { contrast: "more" }, width: 1440, height: 900 },
  { name: "forced colours", media: { forcedColors: "active" }, width: 1440, height: 900 },
  { name: "forced colours on a phone", media: { forcedColors: "active" }, width: 360, height: 640 },
];

journey.for(everyPath)(
  "$path can be read and used by the keyboard at 200 and 400 %, with forced colours and more contrast",
  async ({ path, isIn }, { stage, open }) => {
    const product = await makeProduct(stage);
    const as = isIn ? { as: await stage.person("Rita Reader", "admin") } : {};
    // Narrow from the start: what has the focus in a wide window may be left out of a narrow one.
    const viewport = { width: 640, height: 400 };
    const visit = await open({ ...as, viewport, at: path.replace(":id", product.id) });
    const { page } = visit;
    await page.keyboard.press("Tab");
    const found: string[] = [];
    for (const { name, media, width, height } of ways) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ forcedColors: "none", contrast: "no-preference", ...media });
      await visit.fits();
      const all = [
        ...(await page.evaluate<readonly string[]>(cutWords)),
        ...(await page.evaluate<readonly string[]>(lostStops)),
        ...(Object.keys(media).length === 0 ? [] : await findings(page, ofColours)),
      ];
      found.push(...all.map((one) => `${name}: ${one}`));
    }
    expect(found).toEqual([]);
    // What else axe may find is found in a usual window.
    await page.close();
  },
);
