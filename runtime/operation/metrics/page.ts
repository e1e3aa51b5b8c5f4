import {
  AggregatorRegistry,
  type MetricObject,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from "prom-client";
import { storedName } from "./registry.js";

/** The metrics that a process sends to the primary. */
export type Snapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

export async function snapshotOf(registry: Registry): Promise<Snapshot> {
  return registry.getMetricsAsJSON();
}

/** Formats the summed metrics of several processes. */
export async function pageOf(snapshots: readonly Snapshot[]): Promise<string> {
  return withMails(await summed(snapshots).metrics());
}

/** Returns the metrics to keep of processes that have ended: those that only increase. */
export async function remainder(snapshots: readonly Snapshot[]): Promise<Snapshot> {
  const growing = snapshots.map((snapshot) => snapshot.filter(isGrowing));
  return summed(growing).getMetricsAsJSON();
}

function summed(snapshots: readonly Snapshot[]): Registry {
  // Copies, because prom-client changes its input.
  return AggregatorRegistry.aggregate(structuredClone(snapshots) as unknown as MetricObject[]);
}

/** prom-client represents metric types as numbers in some releases and as words in others. */
function isGrowing({ type }: { readonly type: unknown }): boolean {
  return type === "counter" || type === "histogram";
}

/** Gives the gauge of stored queues the name of the gauge for other queues. */
function withMails(page: string): string {
  const lines = page.split("\n");
  const stored = lines.filter((line) => line.startsWith(`${storedName}{`));
  return lines
    .filter((line) => !line.includes(storedName))
    .flatMap((line) =>
      line === "# TYPE service_queue_length gauge"
        ? [line, ...stored.map((line) => line.replace(storedName, "service_queue_length"))]
        : [line],
    )
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n");
}
