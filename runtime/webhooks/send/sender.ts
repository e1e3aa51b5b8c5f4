import { reasonOf } from "../../errors/index.js";
import { newPolling } from "../../polling/index.js";
import { type ClaimedDelivery, claimDeliveries } from "../store/claim.js";
import { giveBack } from "../store/end.js";
import { deleteOld } from "../store/old.js";
import { type AttemptParts, attemptDelivery, Stopped } from "./attempt.js";

/** Sends stored deliveries, including those that other processes stored. */
export interface Sender {
  start(): void;
  /** Must be called when a delivery was stored, so that it is claimed soon. */
  wake(): void;
  /**
   * Starts no more attempts, waits at most `ms` milliseconds for the running ones, and releases the other deliveries.
   */
  close(ms: number): Promise<void>;
}

export type SenderOptions = Omit<AttemptParts, "mostMs"> & { readonly times?: SenderTimes };

/** The intervals of a sender; tests use shorter ones. */
export interface SenderTimes {
  /** Timeout of an attempt, in milliseconds. */
  readonly mostMs: number;
  /** Seconds after which other processes take over the deliveries of a dead one; longer than an attempt. */
  readonly leaseSeconds: number;
  /** Milliseconds between queries for deliveries. */
  readonly pollMs: number;
}

const usualTimes: SenderTimes = { mostMs: 15_000, leaseSeconds: 25, pollMs: 800 };

/** Maximum number of deliveries that one process attempts concurrently. */
const most = 32;
/** The limit for webhooks whose last attempt failed, because the next attempt may run until the timeout. */
const mostFailing = 12;
/** The limit for a single webhook. */
const mostEach = 8;
const mostEachFailing = 1;

/** Milliseconds between deletions of old deliveries. */
const tidyMs = 600_000;

/**
 * Opens a sender, which claims deliveries and sends them. Exactly one process claims each delivery. If that process
 * dies, another one claims the delivery and may send it a second time.
 */
export function openSender({ times = usualTimes, ...options }: SenderOptions): Sender {
  const { db, log } = options;
  const parts = { ...options, mostMs: times.mostMs };
  const underWay = new Map<ClaimedDelivery, Promise<void>>();
  const stopped = new Set<ClaimedDelivery>();
  const cut = new AbortController();
  const polling = newPolling({
    poll,
    pauseMs: () => times.pollMs,
    onOutage: (error) => log.warn({ reason: reasonOf(error) }, "Webhooks cannot be read"),
  });
  let lastTidy = Number.NEGATIVE_INFINITY;

  async function poll(): Promise<void> {
    await claim();
    if (performance.now() - lastTidy < tidyMs) return;
    lastTidy = performance.now();
    await deleteOld(db);
  }

  async function claim(): Promise<void> {
    const counts = countsOf([...underWay.keys()]);
    const failing = [...underWay.keys()].filter(({ isFailing }) => isFailing).length;
    if (underWay.size >= most) return;
    const claimed = await claimDeliveries(db, {
      most: most - underWay.size,
      mostFailing: Math.max(0, mostFailing - failing),
      mostEach,
      mostEachFailing,
      underWay: counts,
      leaseSeconds: times.leaseSeconds,
    });
    for (const delivery of claimed) underWay.set(delivery, attempt(delivery));
  }

  async function attempt(delivery: ClaimedDelivery): Promise<void> {
    try {
      const outcome = await attemptDelivery(parts, delivery, cut.signal);
      if (outcome === "stopped") stopped.add(delivery);
    } catch (error) {
      // After the lease expires, any process retries the delivery.
      log.warn(
        { reason: reasonOf(error), id: delivery.id },
        "The result of a delivery could not be stored",
      );
    } finally {
      underWay.delete(delivery);
      polling.wake();
    }
  }

  async function close(ms: number): Promise<void> {
    const until = performance.now() + ms;
    await polling.stop();
    while (underWay.size > 0 && performance.now() < until) {
      await Promise.race([...underWay.values(), polling.sleep(until - performance.now())]);
    }
    cut.abort(new Stopped("The server stops"));
    await Promise.all(underWay.values());
    if (stopped.size > 0) await polling.attempt(() => giveBack(db, [...stopped]));
  }

  return { start: polling.start, wake: polling.wake, close };
}

function countsOf(deliveries: readonly ClaimedDelivery[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { webhookId } of deliveries) counts.set(webhookId, (counts.get(webhookId) ?? 0) + 1);
  return counts;
}
