import { setTimeout as sleep } from "node:timers/promises";
import { makeProduct } from "./pages/record.js";
import { journey } from "./support/journey.js";
import { everyPath } from "./support/paths.js";

const widths = [360, 768, 1440];

/** Each screen at one of the widths, on a slow machine too. */
const slow = everyPath.map((one, at) => ({ ...one, width: widths[at % 3] ?? 0 }));

journey.for(slow)(
  "$path does not shift at $width px while scripts, answers and the machine are slow",
  async ({ path, width, isIn }, { stage, open }) => {
    const as = isIn ? { as: await stage.person("Slow", "admin") } : {};
    const visit = await open({ ...as, viewport: { width, height: 800 } });
    const { page, context } = visit;
    const devtools = await context.newCDPSession(page);
    // The processor is busy as long as this holds, even while the page waits.
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
    let answers = 0;
    await page.route(/\/api\/|\/assets\/.*\.js$/, async (route) => {
      answers += 1;
      // In another order than they were asked for.
      await sleep(150 + (answers % 4) * 150);
      await route.continue();
    });
    await page.goto(path.replace(":id", isIn ? (await makeProduct(stage)).id : ""));
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await visit.fits();
    // What else may be wrong is found where nothing is slow.
    await page.close();
  },
);
