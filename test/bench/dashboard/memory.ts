import type { CDPSession, Page } from "playwright-core";
import type { Result } from "../check.js";
import { ratioText } from "../table.js";
import type { Dashboard } from "./open.js";

const navigations = 500;
/** When the heap is looked at; the first look is when every screen has been shown. */
const every = 50;

/**
 * What the page holds. Megabytes of its own data are compared: the whole heap also has the code that V8 compiles when
 * a function becomes busy, and what the developer tools note, which come to rest only after a thousand navigations.
 */
interface Held {
  readonly megabytes: number;
  /** Objects, arrays, texts and functions. */
  readonly ownMegabytes: number;
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
  const [first, last] = [held.at(0), held.at(-1)];
  const texts = held.map(({ ownMegabytes }) => ownMegabytes.toFixed(2));
  const growth = (last?.ownMegabytes ?? 0) / (first?.ownMegabytes ?? 0);
  const whole = [first, last].map((look) => `${look?.megabytes.toFixed(1)} MB`).join(" to ");
  const counts = `${first?.nodes} to ${last?.nodes} nodes, ${first?.listeners} to ${last?.listeners} listeners`;
  return [
    {
      name: `heap over ${navigations} navigations`,
      measured: `${ratioText(growth)} × (${texts.join(", ")} MB of own data; ${counts}; with compiled code ${whole})`,
      target: `≤ 1.1 × that after ${every}`,
      met: growth <= 1.1 && (last?.nodes ?? 0) <= 1.1 * (first?.nodes ?? 0),
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
  const ownMegabytes = ownBytes(await snapshotOf(devTools)) / 1e6;
  return { megabytes: usedSize / 1e6, ownMegabytes, nodes, listeners: jsEventListeners };
}

/** The parts of a heap snapshot that are read here: one row of numbers for each object, with named columns. */
interface Snapshot {
  readonly nodes: readonly number[];
  readonly snapshot: {
    readonly meta: {
      readonly node_fields: readonly string[];
      readonly node_types: readonly [readonly string[], ...unknown[]];
    };
  };
}

async function snapshotOf(devTools: CDPSession): Promise<Snapshot> {
  const chunks: string[] = [];
  const add = ({ chunk }: { readonly chunk: string }) => void chunks.push(chunk);
  devTools.on("HeapProfiler.addHeapSnapshotChunk", add);
  await devTools.send("HeapProfiler.takeHeapSnapshot", { reportProgress: false });
  devTools.off("HeapProfiler.addHeapSnapshotChunk", add);
  return JSON.parse(chunks.join(""));
}

/** `native` is the browser's own: documents, which are counted as nodes, and records of the developer tools. */
function ownBytes({ nodes, snapshot: { meta } }: Snapshot): number {
  const [types] = meta.node_types;
  const fields = meta.node_fields;
  const type = fields.indexOf("type");
  const size = fields.indexOf("self_size");
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length) {
    const name = types[nodes[at + type] ?? 0];
    if (name !== "code" && name !== "native") bytes += nodes[at + size] ?? 0;
  }
  return bytes;
}
