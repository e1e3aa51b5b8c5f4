import type { Worker } from "node:cluster";
import { Registry } from "prom-client";
import { z } from "zod";
import { messageReader } from "../../messages/index.js";
import { pageOf, remainder, type Snapshot, snapshotOf } from "./page.js";
import type { Metrics } from "./registry.js";
import { addStartTime } from "./start-time.js";

// The workers of a machine send their metrics to the primary, which serves the page.

const question = z.object({ service: z.literal("metrics?") });
const answer = z.object({ service: z.literal("metrics"), metrics: z.custom<Snapshot>() });
const readQuestion = messageReader(question);
const readAnswer = messageReader(answer);

/** Milliseconds that a worker has to respond; after that its previous metrics are used. */
const patience = 2_400;

/** Collects metrics in the primary. */
export interface Gathering {
  add(worker: Worker): void;
  page(): Promise<string>;
}

export function newGathering(): Gathering {
  const latest = new Map<Worker, Snapshot>();
  const alive = new Set<Worker>();
  /** Totals of workers that have ended, so that no counter decreases when a worker is replaced. */
  let ended: Promise<Snapshot> = Promise.resolve([]);
  let gathering: Promise<string> | null = null;
  const own = new Registry();
  addStartTime(own);

  function add(worker: Worker): void {
    alive.add(worker);
    worker.on("message", (message) => {
      const data = readAnswer(message);
      if (data !== null && alive.has(worker)) latest.set(worker, data.metrics);
    });
    worker.once("exit", () => {
      // The worker's last message may still be in transit.
      setImmediate(() => {
        alive.delete(worker);
        const last = latest.get(worker);
        latest.delete(worker);
        if (last !== undefined) ended = ended.then((former) => remainder([former, last]));
      });
    });
  }

  async function gather(): Promise<string> {
    await Promise.all([...alive].map(ask));
    const former = await ended;
    return pageOf([await snapshotOf(own), former, ...latest.values()]);
  }

  return {
    add,
    page: () => {
      gathering ??= gather().finally(() => {
        gathering = null;
      });
      return gathering;
    },
  };
}

function ask(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(late);
      worker.off("message", listener);
      worker.off("exit", end);
      resolve();
    };
    const listener = (message: unknown) => {
      if (readAnswer(message) !== null) end();
    };
    const late = setTimeout(end, patience);
    worker.on("message", listener);
    worker.once("exit", end);
    worker.send({ service: "metrics?" } satisfies z.input<typeof question>, (error) => {
      if (error !== null) end();
    });
  });
}

/** Sends the metrics of a worker when the primary requests them. Returns a function that sends them a last time. */
export function sendMetrics({ registry }: Metrics): () => Promise<void> {
  async function tell(): Promise<void> {
    const metrics = await snapshotOf(registry);
    const message: z.input<typeof answer> = { service: "metrics", metrics };
    if (!process.connected) return;
    await new Promise((resolve) => process.send?.(message, undefined, undefined, resolve));
  }
  process.on("message", (message) => {
    if (readQuestion(message) !== null) void tell();
  });
  return tell;
}
