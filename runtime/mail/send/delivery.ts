import type { Queryable } from "../../db/index.js";
import { reasonOf } from "../../errors/index.js";
import { newPolling } from "../../polling/index.js";
import {
  type ClaimedMail,
  claimFirstMail,
  claimMail,
  type HeldMail,
  postponeMails,
  renewLease,
} from "../queue/claim.js";
import { maxDelayMs } from "../queue/outbox.js";
import { decoyKind, deleteDecoys, deleteExpired, deleteMails, maxDeleted } from "../queue/store.js";
import { type Failure, failureOf } from "./failure.js";
import { logLoss, logSent, type MailLog } from "./log.js";
import { type Pauses, retryOrGiveUp, usualPauses } from "./retry.js";

/** Sends stored emails, including those stored by other processes. */
export interface Delivery {
  start(): void;
  /** Notifies the delivery that an email was stored, so that it claims the email soon. */
  wake(): void;
  /** Sends emails that are due, stops after a few seconds, and leaves the rest to other processes. */
  close(): Promise<void>;
}

/** Dependencies of delivery. */
export interface DeliveryOptions {
  readonly db: Queryable;
  /** Delivers an email to the mail server; throws if that fails. */
  readonly send: (mail: ClaimedMail) => Promise<void>;
  /** Aborts deliveries in progress. */
  readonly cut: () => void;
  /** Gets the address and the kind of an email, never its content. */
  readonly log: MailLog;
  readonly times?: DeliveryTimes;
}

/** The intervals of delivery; tests use shorter ones. */
export interface DeliveryTimes {
  readonly pauses: Pauses;
  /** Milliseconds that `close` waits. */
  readonly grace: number;
}

const usualTimes: DeliveryTimes = {
  pauses: usualPauses,
  // `service dev` kills a server five seconds after sending it a signal to stop.
  grace: 4_000,
};

/**
 * The maximum number of emails that one process delivers concurrently, and thus of its connections to the mail server.
 */
export const maxConcurrent = 5;

/** Seconds after which other processes take over the emails of a process that died. */
const leaseSeconds = 15;

/** A queue with this many emails in delivery leaves the last free slot to other queues. */
const crowdedQueue = 2;

/** Milliseconds between polls: while emails are being stored, and while none are. */
const activePollMs = 50;
const idlePollMs = 1_000;

/** Milliseconds between renewals of the lease, and between deletions of expired emails. */
const upkeepMs = 5_000;

/**
 * Sends stored emails in the background, a few at a time, and retries failed ones until they expire. With any number of
 * processes, exactly one claims each email. If a process is killed between acceptance by the mail server and deletion
 * of the email, the email is sent twice.
 */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: one machine, whose steps share the emails under way
export function openDelivery({
  db,
  send,
  cut,
  log,
  times = usualTimes,
}: DeliveryOptions): Delivery {
  const underWay = new Map<ClaimedMail, Promise<void>>();
  /** Emails to delete. If the database is down, the next poll deletes them. */
  const finished = new Set<string>();
  /** Deliveries that `close` has aborted. */
  const aborted = new Set<HeldMail>();
  const polling = newPolling({
    poll,
    pauseMs: (isDatabaseDown) =>
      !isDatabaseDown && performance.now() < activeUntil ? activePollMs : idlePollMs,
    onOutage: (error) => log.warn({ reason: reasonOf(error) }, "Stored mails cannot be read"),
  });
  let hasGivenUp = false;
  let activeUntil = 0;
  let lastUpkeep = 0;

  async function poll(): Promise<void> {
    await deleteFinished();
    if (performance.now() - lastUpkeep > upkeepMs) await keepUp();
    await deleteDecoys(db);
    await claim(0);
  }

  async function deleteFinished(): Promise<void> {
    const ids = [...finished];
    if (ids.length === 0) return;
    await deleteMails(db, ids);
    for (const id of ids) finished.delete(id);
  }

  async function keepUp(): Promise<void> {
    if (underWay.size > 0) await renewLease(db, [...underWay.keys()], leaseSeconds);
    await dropExpired();
    lastUpkeep = performance.now();
  }

  async function dropExpired(): Promise<void> {
    const dropped = await deleteExpired(db);
    for (const mail of dropped) {
      if (mail.kind !== decoyKind) logLoss(log, mail, "it expired");
    }
    if (dropped.length === maxDeleted) await dropExpired();
  }

  /** Claims emails for the free slots; resolves with their number. */
  async function claim(ahead: number): Promise<number> {
    const free = maxConcurrent - underWay.size;
    for (let claimed = 0; claimed < free; claimed += 1) {
      const mail = await nextMail(ahead);
      if (mail === null) return claimed;
      const work = deliver(mail).finally(() => {
        underWay.delete(mail);
        polling.wake();
      });
      underWay.set(mail, work);
    }
    return free;
  }

  /**
   * Claims the next email. The last slot is reserved for first attempts of an address's first email, from queues that
   * do not fill the other slots. This keeps floods to a few addresses, and emails that a server accepts slowly, from
   * delaying all others.
   */
  function nextMail(ahead: number): Promise<ClaimedMail | null> {
    if (underWay.size < maxConcurrent - 1) return claimMail(db, { ahead, leaseSeconds });
    const queues = [...underWay.keys()].map(({ queue }) => queue);
    const except = queues.filter(
      (queue) => queues.filter((one) => one === queue).length >= crowdedQueue,
    );
    return claimFirstMail(db, { ahead, leaseSeconds, except });
  }

  async function deliver(mail: ClaimedMail): Promise<void> {
    const begin = performance.now();
    const failure = await failureIn(mail);
    if (failure === "aborted") {
      aborted.add(mail);
      return;
    }
    if (failure === null) {
      logSent(log, mail);
      finished.add(mail.id);
      return;
    }
    const secondsLeft = mail.secondsLeft - (performance.now() - begin) / 1000;
    const { pauses } = times;
    const outcome = await retryOrGiveUp({ db, log, pauses }, mail, { ...failure, secondsLeft });
    if (outcome === "given-up") finished.add(mail.id);
  }

  /** Delivers an email and returns why it failed; null if the mail server accepted it. */
  async function failureIn(mail: ClaimedMail): Promise<Failure | "aborted" | null> {
    try {
      await send(mail);
      return null;
    } catch (error) {
      return hasGivenUp ? "aborted" : failureOf(error);
    }
  }

  function wake(): void {
    const isActive = performance.now() < activeUntil;
    activeUntil = performance.now() + maxDelayMs + 2 * activePollMs;
    if (!isActive) polling.wake();
  }

  async function close(): Promise<void> {
    const stopped = polling.stop();
    const cutting = setTimeout(() => {
      hasGivenUp = true;
      cut();
    }, times.grace);
    await stopped;
    try {
      await finish();
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, "Other processes will send the stored mails");
    }
    clearTimeout(cutting);
  }

  /** Sends emails that are due, including those stored a moment ago. */
  async function finish(): Promise<void> {
    while (!hasGivenUp) {
      await deleteFinished();
      const wasIdle = underWay.size === 0;
      const claimed = await claim(maxDelayMs);
      if (wasIdle && claimed === 0) break;
      // Claimed emails may already be in delivery.
      if (underWay.size > 0) await Promise.race(underWay.values());
    }
    await Promise.all(underWay.values());
    await deleteFinished();
    if (aborted.size > 0) await postponeMails(db, [...aborted], 0);
  }

  return {
    start: polling.start,
    wake,
    close,
  };
}
