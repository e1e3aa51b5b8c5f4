import type { Page } from "playwright-core";
import { type Result, resultOfTimes } from "../check.js";
import { clickTime } from "./observe.js";
import type { Dashboard } from "./open.js";

/** After this the other screens are loaded ahead. */
const settledMs = 6_000;

/** From a list to a record that was not shown before, until its form is painted. */
export async function opened(dashboard: Dashboard, tries: number): Promise<readonly Result[]> {
  const page = await dashboard.window({ at: "/data/products" });
  await page.waitForTimeout(settledMs);
  const times: number[] = [];
  for (let at = 0; at < tries; at += 1) {
    const link = page.locator("tbody a.title").nth(at);
    const name = JSON.stringify(await link.textContent());
    const isThere = `document.querySelector('form [name="name"]')?.value === ${name}`;
    times.push(await clickTime(page, isThere, () => link.click()));
    await page.goBack();
    await page.locator("table:not([data-old]) tbody tr").first().waitFor();
    await page.waitForLoadState("networkidle");
  }
  await page.context().close();
  return [resultOfTimes("open a record from its list", times, 200)];
}

/** Fields beside the ten of a product, for a form of forty. */
const moreFields = 30;

/** Each key into a form of forty fields, until the frame that shows it: what a browser reports as INP. */
export async function typingInForm(
  dashboard: Dashboard,
  tries: number,
): Promise<readonly Result[]> {
  const page = await dashboard.window();
  await page.route("**/api/_service/resources", async (route) => {
    const answer = await route.fetch();
    const { data } = (await answer.json()) as {
      readonly data: readonly { readonly name: string; readonly fields: readonly object[] }[];
    };
    const more = Array.from({ length: moreFields }, (_, at) => ({
      name: `note${at}`,
      type: at % 3 === 0 ? "number" : "string",
    }));
    const wider = data.map((one) =>
      one.name === "products" ? { ...one, fields: [...one.fields, ...more] } : one,
    );
    await route.fulfill({ response: answer, json: { data: wider } });
  });
  await page.goto(`/data/products/${dashboard.seeded.ids[0]}`);
  await page.locator('form [name="note29"]').waitFor();
  await page.waitForTimeout(settledMs);
  const times: number[] = [];
  for (let at = 0; at < tries; at += 1) {
    await page.locator(`form [name="note${at * 3 + 1}"]`).click();
    times.push(await slowestKey(page, () => page.keyboard.type("velvet lamp", { delay: 120 })));
  }
  await page.context().close();
  return [resultOfTimes("typing in a form of 40 fields, the slowest key (INP)", times, 50)];
}

/** The longest time from a key to the next frame, in milliseconds, which browsers round to eight. */
async function slowestKey(page: Page, work: () => Promise<void>): Promise<number> {
  await page.evaluate(`
    globalThis.keys = [];
    globalThis.watched = new PerformanceObserver((list) => keys.push(...list.getEntries()));
    watched.observe({ type: "event", durationThreshold: 16 });`);
  await work();
  await page.waitForTimeout(300);
  return page.evaluate<number>(`(() => {
    watched.disconnect();
    const times = keys.filter(({ name }) => name.startsWith("key")).map(({ duration }) => duration);
    // Faster ones than a frame are not reported.
    return Math.max(16, ...times);
  })()`);
}
