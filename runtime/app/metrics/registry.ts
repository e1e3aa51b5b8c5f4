import { METHODS } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { PoolNumbers } from "../../db/index.js";
import type { Watcher } from "../../http/index.js";
import type { EndedTry } from "../../jobs/index.js";
import type { TryResult } from "../../webhooks/index.js";
import type { CheckState } from "../health/check.js";
import { signInOf } from "./sign-ins.js";
import { streamsRoute } from "./streams-route.js";

/** What one process measures. */
export interface Metrics {
  readonly registry: Registry;
  readonly watcher: Required<Pick<Watcher, "onBegin" | "onAnswered">>;
  /** Counts a try of a job. */
  readonly countTry: (ended: EndedTry) => void;
  /** Notes how many seconds a change took until it was sent. */
  readonly noteDelay: (seconds: number) => void;
  /** Counts a try of a webhook's delivery. */
  readonly countDelivery: (result: TryResult) => void;
}

export interface MeasuredParts {
  readonly version: string;
  readonly pool: () => PoolNumbers | null;
  /** Requests that wait for their turn. */
  readonly waiting: Readonly<Record<"passwords" | "pictures", () => number>>;
  /** What waits in the database, the same for all processes. */
  readonly stored: Readonly<Record<string, () => Promise<number>>>;
  readonly hasJobs: boolean;
  /** How many streams of changes are open; null for an app in which no changes are logged. */
  readonly streams: (() => number) | null;
  readonly checks: Readonly<Record<string, () => Promise<CheckState>>>;
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

const known: ReadonlySet<string> = new Set(
  METHODS.filter((method) =>
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].includes(method),
  ),
);

export function newMetrics(parts: MeasuredParts): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    registers,
    name: "http_server_request_duration_seconds",
    help: "Duration of requests.",
    labelNames: ["http_request_method", "http_route", "http_response_status_code"],
    buckets,
  });
  const active = new Gauge({
    registers,
    name: "http_server_active_requests",
    help: "Requests under way.",
  });
  const signIns = new Counter({
    registers,
    name: "service_sign_ins_total",
    help: "Attempts to sign in.",
    labelNames: ["method", "result"],
  });
  addGauges(registry, parts);
  return {
    registry,
    countTry: parts.hasJobs ? tryCounter(registry) : () => {},
    noteDelay: parts.streams === null ? () => {} : streamMetrics(registry, parts.streams),
    countDelivery: parts.streams === null ? () => {} : deliveryCounter(registry),
    watcher: {
      onBegin: () => active.inc(),
      onAnswered: (answered) => {
        const { method, route, status, milliseconds } = answered;
        active.dec();
        if (route === streamsRoute) return;
        durations.observe(
          {
            http_request_method: known.has(method) ? method : "_OTHER",
            http_route: route ?? "",
            http_response_status_code: String(status),
          },
          milliseconds / 1_000,
        );
        const signIn = signInOf(answered);
        if (signIn !== null) signIns.inc(signIn);
      },
    },
  };
}

/** Counts and times tries of jobs. */
function tryCounter(registry: Registry): (ended: EndedTry) => void {
  const registers = [registry];
  const ends = new Counter({
    registers,
    name: "service_jobs_total",
    help: "Tries of jobs that have ended.",
    labelNames: ["name", "result"],
  });
  const durations = new Histogram({
    registers,
    name: "service_job_duration_seconds",
    help: "Duration of tries of jobs.",
    labelNames: ["name"],
    buckets: [0.01, 0.1, 1, 10, 60, 600, 3_600],
  });
  return ({ name, result, seconds }) => {
    ends.inc({ name, result });
    if (seconds !== null) durations.observe({ name }, seconds);
  };
}

/** Counts streams, and times changes until they are sent. */
function streamMetrics(registry: Registry, streams: () => number): (seconds: number) => void {
  const registers = [registry];
  new Gauge({
    registers,
    name: "service_change_streams",
    help: "Streams of changes that are open.",
    collect() {
      this.set(streams());
    },
  });
  const delays = new Histogram({
    registers,
    name: "service_changes_delay_seconds",
    help: "Time from a change to when it was sent to streams.",
    buckets: [0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  return (seconds) => delays.observe(seconds);
}

/** Counts tries of webhooks' deliveries. */
function deliveryCounter(registry: Registry): (result: TryResult) => void {
  const ends = new Counter({
    registers: [registry],
    name: "service_webhook_deliveries_total",
    help: "Tries of deliveries to webhooks that have ended.",
    labelNames: ["result"],
  });
  return (result) => ends.inc({ result });
}

/** Those that are looked up when somebody asks. */
function addGauges(registry: Registry, parts: MeasuredParts): void {
  const registers = [registry];
  const { waiting, pool, checks } = parts;
  // Before what asks the database itself.
  new Gauge({
    registers,
    name: "db_client_connection_count",
    help: "Connections to the database.",
    labelNames: ["db_client_connection_state"],
    collect() {
      const { idle, total } = pool() ?? none;
      this.set({ db_client_connection_state: "idle" }, idle);
      this.set({ db_client_connection_state: "used" }, total - idle);
    },
  });
  new Gauge({
    registers,
    name: "db_client_connection_max",
    help: "The most connections to the database.",
    collect() {
      this.set((pool() ?? none).max);
    },
  });
  new Gauge({
    registers,
    name: "db_client_connection_pending_requests",
    help: "What waits for a connection to the database.",
    collect() {
      this.set((pool() ?? none).pending);
    },
  });
  const queue = { labelNames: ["queue"] as const, help: "What waits for its turn." };
  new Gauge({
    registers,
    name: "service_queue_length",
    ...queue,
    collect() {
      for (const name of ["passwords", "pictures"] as const) {
        this.set({ queue: name }, waiting[name]());
      }
    },
  });
  // All processes see the same ones: the page has this under the name of the other (see `gather.ts`).
  new Gauge({
    registers,
    name: storedName,
    ...queue,
    aggregator: "max",
    async collect() {
      for (const [name, count] of Object.entries(parts.stored)) {
        const waits = await count().catch(() => null);
        if (waits !== null) this.set({ queue: name }, waits);
      }
    },
  });
  new Gauge({
    registers,
    name: "service_check",
    help: "Whether a health check succeeds.",
    labelNames: ["check"],
    aggregator: "min",
    async collect() {
      const names = Object.keys(checks);
      const states = await Promise.all(names.map((name) => checks[name]?.()));
      names.forEach((check, at) => {
        if (states[at] !== "off") this.set({ check }, states[at] === "ok" ? 1 : 0);
      });
    },
  });
  new Gauge({
    registers,
    name: "service_build_info",
    help: "The version of the package.",
    labelNames: ["version"],
    aggregator: "first",
    collect() {
      this.set({ version: parts.version }, 1);
    },
  });
}

/** The gauge of what waits in the database, within one process. */
export const storedName = "service_queue_length_stored";

const none: PoolNumbers = { idle: 0, total: 0, max: 0, pending: 0 };
