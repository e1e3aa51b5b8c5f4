import { Gauge, type Registry } from "prom-client";
import { systemClock } from "../../clock/index.js";

/**
 * Adds the start time, which prom-client omits from a page of several processes; the page shows that of the first
 * process.
 */
export function addStartTime(registry: Registry): void {
  const name = "process_start_time_seconds";
  registry.removeSingleMetric(name);
  new Gauge({
    registers: [registry],
    name,
    help: "Start of the first process, in seconds since 1970.",
    aggregator: "min",
    collect() {
      this.set(Math.round(systemClock.now().getTime() / 1_000 - process.uptime()));
    },
  });
}
