import { Counter, Gauge, Histogram, type Registry } from "prom-client";
import type { EndedTry } from "../../jobs/index.js";
import { inTime } from "./stored.js";

/** Counts and times attempts of jobs. */
export function tryCounter(registry: Registry): (ended: EndedTry) => void {
  const registers = [registry];
  const ends = new Counter({
    registers,
    name: "service_jobs_total",
    help: "Job attempts that have ended.",
    labelNames: ["name", "result"],
  });
  const durations = new Histogram({
    registers,
    name: "service_job_duration_seconds",
    help: "Duration of job attempts.",
    labelNames: ["name"],
    buckets: [0.01, 0.1, 1, 10, 60, 600, 3_600],
  });
  return ({ name, result, seconds }) => {
    ends.inc({ name, result });
    if (seconds !== null) durations.observe({ name }, seconds);
  };
}

export function streamsGauge(registry: Registry, streams: () => number): void {
  new Gauge({
    registers: [registry],
    name: "service_change_streams",
    help: "Open change streams.",
    collect() {
      this.set(streams());
    },
  });
}

/** Measures the time from a change until it is sent. */
export function delayTimer(registry: Registry): (seconds: number) => void {
  const delays = new Histogram({
    registers: [registry],
    name: "service_changes_delay_seconds",
    help: "Time from a change to when it was sent to streams.",
    buckets: [0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  return (seconds) => delays.observe(seconds);
}

export function deliveryCounter(registry: Registry): (result: string) => void {
  const ends = new Counter({
    registers: [registry],
    name: "service_webhook_deliveries_total",
    help: "Webhook delivery attempts that have ended.",
    labelNames: ["result"],
  });
  return (result) => ends.inc({ result });
}

export function disabledGauge(registry: Registry, count: () => Promise<number>): void {
  new Gauge({
    registers: [registry],
    name: "service_webhooks_disabled",
    help: "Webhooks that are disabled.",
    aggregator: "max",
    async collect() {
      const disabled = await inTime(count);
      if (disabled !== null) this.set(disabled);
    },
  });
}
