import { setTimeout as sleep } from "node:timers/promises";
import type { Case } from "./cases.js";
import { oneByOne } from "./cases.js";
import type { Check } from "./check.js";
import { headersOf } from "./compare.js";
import { runCase } from "./comparison.js";
import type { Figures } from "./load.js";
import { connections } from "./load.js";
import { probe } from "./probe.js";
import { rounds } from "./rounds.js";
import type { Shop } from "./stage.js";
import { millisecondsText, ratioText } from "./table.js";

const rows = 1_000_000;
const list = "/api/products";

/** Page 1 000 of a million records, found by its cursor, against page 1. */
export const cursorPages: Check = {
  name: "queries: cursor page 1 000 against page 1",
  async run(stage) {
    const shop = await stage.shop(rows);
    const { plan } = stage;
    const pages = [pageAt(""), pageAt(await cursorOfPage(shop, 1_000))];
    const measure = (page: Case, seconds: number, leastAnswers = 0) =>
      runCase(page, shop.seeded, { server: shop.emitted, seconds, leastAnswers });
    for (const page of pages) await measure(page, plan.warmUp);
    const [first, deep] = await rounds(plan.rounds, pages, (page) =>
      measure(page, plan.seconds, plan.leastAnswers),
    );
    const ratio = (deep?.rate ?? 0) / (first?.rate ?? 0);
    const measured = `${ratioText(ratio)} × as fast`;
    return [{ name: cursorPages.name, measured, target: "≥ 0.9 ×", met: ratio >= 0.9 }];
  },
};

function pageAt(cursor: string): Case {
  const paths = () => [`${list}?cursor=${cursor}`];
  return { name: "cursor", rows, method: "GET", paths, target: { e: 0 } };
}

/** How much is shown may change from page to page, so that most are skipped four at a time. */
async function cursorOfPage({ seeded, emitted }: Shop, page: number): Promise<string> {
  let cursor = "";
  for (let before = (page - 1) * 25; before > 0; ) {
    const perPage = Math.min(100, before);
    const path = `${list}?perPage=${perPage}&fields=id&cursor=${cursor}`;
    const response = await fetch(emitted.url + path, { headers: headersOf(seeded) });
    const { meta } = (await response.json()) as { meta: { next: string } };
    cursor = meta.next;
    before -= perPage;
  }
  return cursor;
}

/** What others notice while 32 clients ask what no index answers, as much of it as an address holds. */
export const worstWhere: Check = {
  name: "queries: p99 of GET one under the worst where",
  async run(stage) {
    const shop = await stage.shop(rows);
    const { plan } = stage;
    const [idle, flooded] = await rounds(
      plan.rounds,
      [() => probeOne(shop, plan.seconds), () => probeInFlood(shop, plan.seconds)],
      (run) => run(),
    );
    const ratio = (flooded?.p99 ?? 0) / (idle?.p99 ?? 0);
    const [before, during] = [idle, flooded].map((one) => millisecondsText(one?.p99 ?? 0));
    const measured = `${ratioText(ratio)} × (${during} ms, idle ${before} ms)`;
    return [{ name: worstWhere.name, measured, target: "≤ 5 × idle", met: ratio <= 5 }];
  },
};

function probeOne({ seeded, emitted }: Shop, seconds: number): Promise<Figures> {
  const headers = headersOf(seeded);
  return probe({ url: emitted.url, paths: oneByOne(seeded), headers, seconds });
}

async function probeInFlood(shop: Shop, seconds: number): Promise<Figures> {
  const until = performance.now() + seconds * 1000;
  const flood = Array.from({ length: connections }, () => askUntil(shop, until));
  await sleep(500);
  const figures = await probeOne(shop, seconds);
  await Promise.all(flood);
  return figures;
}

async function askUntil({ seeded, emitted }: Shop, until: number): Promise<void> {
  const where = encodeURIComponent(JSON.stringify(worst()));
  while (performance.now() < until) {
    const headers = headersOf(seeded);
    const { status } = await fetch(`${emitted.url}${list}?where=${where}`, { headers });
    if (status !== 200 && status !== 503) throw new Error(`A query is answered with ${status}`);
  }
}

/** Texts that no record contains, each of which is looked for in every record; within 4 kB. */
function worst(): object {
  const texts = Array.from({ length: 49 }, (_, at) => `%_${at}${"ß".repeat(8)}`);
  return { not: { or: texts.map((contains) => ({ name: { contains } })), price: { lt: 0 } } };
}
