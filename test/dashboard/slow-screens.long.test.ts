import { setTimeout as sleep } from "node:timers/promises";
import { makeProduct } from "./pages/record.js";
import { journey } from "./support/journey.js";
import { everyPath } from "./support/paths.js";

const slow = everyPath.flatMap((one) => [360, 768, 1440].map((width) => ({ ...one, width })));

journey.for(slow)(
  "$path keeps still at $width px while the machine, every script and every answer are slow",
  async ({ path, width, isIn }, { stage, open }) => {
    const as = isIn ? { as: await stage.person("Slow", "admin") } : {};
    const visit = await open({ ...as, viewport: { width, height: 800 } });
    const { page, context } = visit;
    const devtools = await context.newCDPSession(page);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: 6 });
    let answers = 0;
    await page.route(/\/api\/|\/assets\/.*\.js$/, async (route) => {
      answers += 1;
      // In another order than they were asked for.
      await sleep(200 + (answers % 4) * 250);
      await route.continue();
    });
    await page.goto(path.replace(":id", isIn ? (await makeProduct(stage)).id : ""));
    await page.getByRole("heading", { level: 1 }).waitFor();
    await page.waitForLoadState("networkidle");
    await visit.fits();
  },
);
