import type { Worker } from "node:cluster";
import type { Config } from "../../config/index.js";
import type { Metrics, WhatIsCounted } from "./registry.js";

// Loaded only if metrics are served.

type Place = Config["server"]["metrics"];

/** Creates the metrics of a process; null if metrics are not served. */
export async function openMetrics(place: Place, counted: WhatIsCounted): Promise<Metrics | null> {
  return place === null ? null : (await import("./registry.js")).newMetrics(counted);
}

/**
 * Serves the metrics of this process; a worker sends them to its primary instead. Returns a function that stops this; a
 * worker then sends its metrics a last time.
 */
export async function showMetrics(
  metrics: Metrics | null,
  place: Place,
  { isWorker }: { readonly isWorker: boolean },
): Promise<() => Promise<void>> {
  if (metrics === null || place === null) return async () => {};
  if (isWorker) {
    const { sendMetrics } = await import("./gather.js");
    return sendMetrics(metrics);
  }
  const { registry } = metrics;
  const { serveMetrics } = await import("./listen.js");
  const { pageOf, snapshotOf } = await import("./page.js");
  const server = await serveMetrics(place, async () => pageOf([await snapshotOf(registry)]));
  return async () => server.close();
}

/** The metrics of all workers on one page of their primary. */
export interface GatheredMetrics {
  add(worker: Worker): void;
  close(): void;
}

export async function gatherMetrics(place: Place): Promise<GatheredMetrics | null> {
  if (place === null) return null;
  const { newGathering } = await import("./gather.js");
  const { serveMetrics } = await import("./listen.js");
  const { add, page } = newGathering();
  const { close } = await serveMetrics(place, page);
  return { add, close };
}
