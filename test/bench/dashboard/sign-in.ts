import type { Page } from "playwright-core";
import { type Result, resultOfTimes } from "../check.js";
import type { Dashboard } from "./open.js";

interface Network {
  readonly name: string;
  /** Milliseconds before the first byte of each answer, and bytes a second; null where nothing is held back. */
  readonly slow: { readonly latency: number; readonly throughput: number } | null;
  readonly mostMs: number;
}

const networks: readonly Network[] = [
  { name: "loopback", slow: null, mostMs: 1_000 },
  {
    name: "400 ms and 400 kbit/s",
    slow: { latency: 400, throughput: 400_000 / 8 },
    mostMs: 4_000,
  },
];

/** From the address until somebody can sign in, in a browser that has seen nothing of the dashboard. */
export async function signInPage(dashboard: Dashboard, tries: number): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const network of networks) {
    const times: number[] = [];
    for (let at = 0; at < tries; at += 1) {
      const page = await dashboard.strangerWindow();
      times.push(await usableAfter(page, network));
      await page.context().close();
    }
    results.push(resultOfTimes(`sign-in page over ${network.name}`, times, network.mostMs));
  }
  return results;
}

async function usableAfter(page: Page, { slow }: Network): Promise<number> {
  if (slow !== null) {
    const network = await page.context().newCDPSession(page);
    await network.send("Network.enable");
    await network.send("Network.emulateNetworkConditions", {
      offline: false,
      latency: slow.latency,
      downloadThroughput: slow.throughput,
      uploadThroughput: slow.throughput,
    });
  }
  const began = performance.now();
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  return performance.now() - began;
}
