import { expect } from "vitest";
import { controlsOutside, crookedHeads, overlaps } from "./support/every/faults.js";
import { placesIn } from "./support/every/places.js";
import { everyJourney } from "./support/every/stage.js";

// The styles of each screen stay for those after it, so the screens follow each other in two orders.
everyJourney.for([
  { order: "one after the other", widths: [1440, 820] },
  { order: "the other way round", widths: [1024, 360] },
])(
  "no control is outside of the window or over another on any screen, opened $order",
  { timeout: 300_000 },
  async ({ order, widths }, { stage, open }) => {
    const places = placesIn(stage);
    const inOrder = order === "one after the other" ? places : places.toReversed();
    const as = await stage.person("Wide", "admin");
    const visit = await open({ as, at: "/", viewport: { width: 1440, height: 800 } });
    const { page } = visit;
    // Other rows of the same list are no fault: a click leads to them, whose moves are not counted.
    await page.evaluate(
      `Object.defineProperty(globalThis, "shifted", { value: { worst: 0, what: [] }, writable: false })`,
    );
    /** Within the page, as a link does it. */
    const go = async (path: string) => {
      await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await visit.fits();
    };
    for (const path of inOrder) await go(path);
    for (const path of inOrder) {
      await go(path);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 800 });
        const faults = () =>
          page.evaluate<readonly string[]>(
            `[...${controlsOutside}, ...${overlaps}, ...${crookedHeads}]`,
          );
        await expect.poll(faults, { message: `${path} at ${width}` }).toEqual([]);
      }
    }
  },
);
