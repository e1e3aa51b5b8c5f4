import type { CDPSession, Page } from "playwright-core";
import type { Result } from "../check.js";
import type { Dashboard } from "./open.js";

const navigations = 500;
/** When the heap is looked at; the first look is when every screen has been shown. */
const every = 50;

interface Held {
  readonly megabytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** Ways through lists, records, tabs and home, each to something that was not shown before. */
export async function heap(dashboard: Dashboard): Promise<readonly Result[]> {
  const page = await dashboard.window();
  const devTools = await page.context().newCDPSession(page);
  const held: Held[] = [];
  let ways = 0;
  for (const way of waysThrough(dashboard)) {
    await go(page, way);
    ways += 1;
    if (ways % every === 0) held.push(await look(devTools));
    if (ways === navigations) break;
  }
  await page.context().close();
  const half = held.slice(1, held.length / 2);
  const before = mean(half);
  const after = mean(held.slice(held.length / 2));
  const texts = held.map(({ megabytes }) => megabytes.toFixed(1));
  const last = held.at(-1);
  return [
    {
      name: `heap over ${navigations} navigations`,
      measured: `${texts.join(", ")} MB; ${last?.nodes} nodes, ${last?.listeners} listeners at the end`,
      target: "second half ≤ 1.05 × first",
      met: after <= 1.05 * before,
    },
  ];
}

interface Way {
  readonly path: string;
  /** A selector of what is there once it is shown. */
  readonly shows: string;
}

function* waysThrough({ seeded: { ids } }: Dashboard): Generator<Way> {
  for (const [at, id] of ids.entries()) {
    yield { path: `/data/products?page=${at + 2}`, shows: ".list table:not([data-old]) tbody tr" };
    yield { path: `/data/products/${id}`, shows: `form [name="price"]` };
    yield { path: `/data/products/${id}/reviews`, shows: ".related-tools" };
    yield { path: "/", shows: ".tile" };
    yield { path: `/data/products?q=lamp ${at}`, shows: ".list-tools" };
  }
}

/** By the address, as a link does it. */
async function go(page: Page, { path, shows }: Way): Promise<void> {
  await page.evaluate(`history.pushState(null, "", ${JSON.stringify(path)})`);
  await page.locator(shows).first().waitFor();
  await page.locator(".skeleton, [data-old]").first().waitFor({ state: "detached" });
}

async function look(devTools: CDPSession): Promise<Held> {
  await devTools.send("HeapProfiler.collectGarbage");
  await devTools.send("HeapProfiler.collectGarbage");
  const { usedSize } = await devTools.send("Runtime.getHeapUsage");
  const { nodes, jsEventListeners } = await devTools.send("Memory.getDOMCounters");
  return { megabytes: usedSize / 1e6, nodes, listeners: jsEventListeners };
}

function mean(all: readonly Held[]): number {
  return all.reduce((sum, { megabytes }) => sum + megabytes, 0) / all.length;
}
