import type { Page } from "playwright-core";
import { type Result, resultOfTimes } from "../check.js";
import { middle } from "../figure.js";
import { framesOf } from "./observe.js";
import { type Dashboard, elevenFields } from "./open.js";
import { tasksOf } from "./tasks.js";

const layout = { columns: elevenFields, perPage: 100 };

/** Keys into the search of a list with 100 rows of 12 columns, whose answers come while one types. */
export async function typing(dashboard: Dashboard, tries: number): Promise<readonly Result[]> {
  const page = await dashboard.window({ at: "/data/products", layout });
  const search = page.getByRole("searchbox");
  const frames: number[] = [];
  const tasks: number[] = [];
  const type = async () => {
    await search.pressSequentially("velvet lamp", { delay: 120 });
    await page.waitForTimeout(1_000);
  };
  for (let at = 0; at < 2 * tries; at += 1) {
    await search.fill("");
    await page.getByRole("row").nth(100).waitFor();
    await page.waitForLoadState("networkidle");
    if (at % 2 === 0) frames.push((await framesOf(page, type)).longest);
    else tasks.push((await tasksOf(page, type)).longest);
  }
  await page.context().close();
  return [
    // One frame of 17 ms, late by 50.
    resultOfTimes("typing in search, the longest frame", frames, 67),
    resultOfTimes("typing in search, the longest task (processor time)", tasks, 50),
  ];
}

/** A list of 100 rows and 12 columns, beside an empty page of the same height. */
export async function scrolling(dashboard: Dashboard, tries: number): Promise<readonly Result[]> {
  const list = await dashboard.window({ at: "/data/products", layout });
  await list.getByRole("row").nth(100).waitFor();
  const empty = await list.context().newPage();
  await empty.setContent('<div style="height: 5000px"></div>');
  const ofList: number[] = [];
  const ofEmpty: number[] = [];
  for (let at = 0; at < tries; at += 1) {
    await list.bringToFront();
    ofList.push((await framesOf(list, () => scroll(list))).perSecond);
    await empty.bringToFront();
    ofEmpty.push((await framesOf(empty, () => scroll(empty))).perSecond);
  }
  await list.context().close();
  const rate = middle(ofList);
  const most = middle(ofEmpty);
  return [
    {
      name: "scrolling 100 rows of 12 columns",
      measured: `${rate.toFixed(1)} frames/s (an empty page ${most.toFixed(1)})`,
      target: "≥ 95 % of an empty page",
      met: rate >= 0.95 * most,
    },
  ];
}

/** Down and up again, as a finger or a wheel does it. */
async function scroll(page: Page): Promise<void> {
  const devTools = await page.context().newCDPSession(page);
  for (const yDistance of [-2_500, 2_500]) {
    await devTools.send("Input.synthesizeScrollGesture", {
      x: 800,
      y: 500,
      yDistance,
      speed: 2_000,
      gestureSourceType: "mouse",
    });
  }
  await devTools.detach();
}
