import { mkdirSync } from "node:fs";
import type { Visit } from "./visit.js";

/** `PICTURES=<folder>` has each screen drawn, for somebody to look at beside the mock-ups. */
export const pictureFolder = process.env.PICTURES;

const widths = [360, 768, 1440];
const schemes = ["light", "dark"] as const;

/** Draws what a window shows, at each width and in both themes. */
export async function draw({ page }: Visit, name: string): Promise<void> {
  mkdirSync(pictureFolder ?? "", { recursive: true });
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 360 ? 780 : 900 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${pictureFolder}/${name}-${width}-${colorScheme}.png` });
    }
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
