import type { Config } from "../../config/index.js";
import { startOrExit } from "../start/start.js";
import type { Metrics } from "./registry.js";

/**
 * Shows the metrics of this process where they are configured; those of a worker go to its primary. Returns how to stop:
 * a worker sends its last ones.
 */
export async function openMetrics(
  metrics: Metrics | null,
  place: Config["server"]["metrics"],
  role: unknown,
): Promise<() => Promise<void>> {
  if (metrics === null || place === null) return async () => {};
  if (role === "worker") {
    const { sendMetrics } = await import("./gather.js");
    return sendMetrics(metrics);
  }
  const { registry } = metrics;
  const { serveMetrics } = await import("./listen.js");
  const { pageOf, snapshotOf } = await import("./page.js");
  const page = async () => pageOf([await snapshotOf(registry)]);
  const server = await startOrExit(() => serveMetrics(place, page));
  return async () => server.close();
}
