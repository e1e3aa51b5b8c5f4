import { METHODS } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { PoolNumbers } from "../../db/index.js";
import type { Watcher } from "../../http/index.js";
import type { EndedTry } from "../../jobs/index.js";
import type { CheckState } from "../health/check.js";
import {
  delayTimer,
  deliveryCounter,
  disabledGauge,
  streamsGauge,
  tryCounter,
} from "./of-some-apps.js";
import { signInOf } from "./sign-ins.js";
import { addStartTime } from "./start-time.js";
import { inTime, type StoredCounts } from "./stored.js";
import { streamsRoute } from "./streams-route.js";

/** The metrics of one process. */
export interface Metrics {
  readonly registry: Registry;
  readonly watcher: Required<Pick<Watcher, "onBegin" | "onAnswered">>;
  readonly countTry: (ended: EndedTry) => void;
  /** Records the seconds from a change until it was sent. */
  readonly noteDelay: (seconds: number) => void;
  readonly countDelivery: (result: string) => void;
  /** Adds gauges whose values are read when the page is requested. */
  addGauges(parts: LookedUp): void;
}

/** Features that only some apps have. */
export interface WhatIsCounted {
  readonly hasJobs: boolean;
  /** Whether changes are logged, which streams and webhooks need. */
  readonly hasChanges: boolean;
}

export interface LookedUp extends StoredCounts {
  readonly version: string;
  readonly pool: () => PoolNumbers;
  /** The number of queued requests by queue. */
  readonly waiting: Readonly<Record<"passwords" | "pictures", () => number>>;
  /** The number of open change streams; null if the app logs no changes. */
  readonly streams: (() => number) | null;
  readonly checks: Readonly<Record<string, () => Promise<CheckState>>>;
}

const buckets = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];

const known: ReadonlySet<string> = new Set(
  METHODS.filter((method) =>
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"].includes(method),
  ),
);

export function newMetrics({ hasJobs, hasChanges }: WhatIsCounted): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  addStartTime(registry);
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
    help: "Requests in progress.",
  });
  const signIns = new Counter({
    registers,
    name: "service_sign_ins_total",
    help: "Attempts to sign in.",
    labelNames: ["method", "result"],
  });
  return {
    registry,
    countTry: hasJobs ? tryCounter(registry) : () => {},
    noteDelay: hasChanges ? delayTimer(registry) : () => {},
    countDelivery: hasChanges ? deliveryCounter(registry) : () => {},
    addGauges: (parts) => addGauges(registry, parts),
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

// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a table of gauges
function addGauges(registry: Registry, parts: LookedUp): void {
  const registers = [registry];
  const { waiting, pool, checks } = parts;
  // Must come first: gauges below query the database and so change these counts.
  new Gauge({
    registers,
    name: "db_client_connection_count",
    help: "Connections to the database.",
    labelNames: ["db_client_connection_state"],
    collect() {
      const { idle, total } = pool();
      this.set({ db_client_connection_state: "idle" }, idle);
      this.set({ db_client_connection_state: "used" }, total - idle);
    },
  });
  new Gauge({
    registers,
    name: "db_client_connection_max",
    help: "The maximum number of connections to the database.",
    collect() {
      this.set(pool().max);
    },
  });
  new Gauge({
    registers,
    name: "db_client_connection_pending_requests",
    help: "Requests waiting for a connection to the database.",
    collect() {
      this.set(pool().pending);
    },
  });
  const queue = { labelNames: ["queue"] as const, help: "Items waiting in queues." };
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
  // These numbers are the same in all processes, so they must not be summed. The page shows them under the name of the
  // gauge above (see `page.ts`).
  new Gauge({
    registers,
    name: storedName,
    ...queue,
    aggregator: "max",
    async collect() {
      const counts = Object.entries(parts.stored).map(async ([name, count]) => {
        const waits = await inTime(count);
        if (waits !== null) this.set({ queue: name }, waits);
      });
      await Promise.all(counts);
    },
  });
  if (parts.streams !== null) streamsGauge(registry, parts.streams);
  if (parts.disabledWebhooks !== null) disabledGauge(registry, parts.disabledWebhooks);
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

/** The name of the gauge of stored queues within one process. */
export const storedName = "service_queue_length_stored";
