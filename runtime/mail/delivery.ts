import type { Queryable } from "../db/index.js";
import {
  type ClaimedMail,
  claimFreshMail,
  claimMail,
  type HeldMail,
  postponeMails,
  renewLease,
} from "./claim.js";
import { type Failure, failureOf } from "./failure.js";
import { type MailLog, reasonOf, tellLoss, tellSent } from "./log.js";
import { headStart } from "./outbox.js";
import { type Pauses, reactTo, usualPauses } from "./retry.js";
import { openNap } from "./sleeper.js";
import { deleteExpired, deleteMails, deleteNobodys, mostDeleted, nobodys } from "./store.js";

/** Sends the stored mails, those of other processes too. */
export interface Delivery {
  start(): void;
  /** A mail was stored just now: look soon. */
  wake(): void;
  /** Sends what is due, gives up after some seconds, and leaves the rest to others. */
  close(): Promise<void>;
}

/** What mails are sent with. */
export interface DeliveryOptions {
  readonly db: Queryable;
  /** Hands a mail over; throws where that fails. */
  readonly send: (mail: ClaimedMail) => Promise<void>;
  /** Ends what is being handed over. */
  readonly cut: () => void;
  /** Hears the address and the kind of a mail, never what is in it. */
  readonly log: MailLog;
  readonly patience?: Patience;
}

/** Where a sender's patience ends; tests have less. */
export interface Patience {
  readonly pauses: Pauses;
  /** Milliseconds that `close` waits. */
  readonly grace: number;
}

const usual: Patience = {
  pauses: usualPauses,
  // `service dev` kills a server five seconds after it asked it to end.
  grace: 4_000,
};

/** Mails that one process hands over at a time, and so its connections to the mail server. */
export const atOnce = 5;

/** Seconds after which others take over what a process held that is gone. */
const lease = 15;

/** Mails of one queue in hand, from which on the last free place is for others. */
const crowd = 2;

/** Milliseconds between two looks: while mails come, and while none do. */
const soon = 50;
const late = 1_000;

/** Milliseconds between renewals of the lease, and between looks for what has expired. */
const upkeep = 5_000;

/**
 * Sends stored mails in the background, a few at a time, and tries again where that fails until what is
 * in them counts no more. Several processes may do so at once: each mail is held by one of them. One that
 * was killed after the mail server took a mail, and before that was noted, lets it be sent once more.
 */
export function openDelivery({ db, send, cut, log, patience = usual }: DeliveryOptions): Delivery {
  const inHand = new Map<ClaimedMail, Promise<void>>();
  /** To be deleted. What the database could not be told goes with the next look. */
  const finished = new Set<string>();
  /** What closing has cut short. */
  const left = new Set<HeldMail>();
  const nap = openNap();
  let isClosing = false;
  let hasGivenUp = false;
  let isDown = false;
  let livelyUntil = 0;
  let lastUpkeep = 0;
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!isClosing) {
      await lookOrTell();
      await nap.take(!isDown && performance.now() < livelyUntil ? soon : late);
    }
  }

  async function lookOrTell(): Promise<void> {
    try {
      await look();
      isDown = false;
    } catch (error) {
      // Once is enough: the same is told of requests.
      if (!isDown) log.warn({ reason: reasonOf(error) }, "Stored mails cannot be looked for");
      isDown = true;
    }
  }

  async function look(): Promise<void> {
    await deleteFinished();
    if (performance.now() - lastUpkeep > upkeep) await keepUp();
    await deleteNobodys(db);
    await claim(0);
  }

  async function deleteFinished(): Promise<void> {
    const ids = [...finished];
    if (ids.length === 0) return;
    await deleteMails(db, ids);
    for (const id of ids) finished.delete(id);
  }

  async function keepUp(): Promise<void> {
    if (inHand.size > 0) await renewLease(db, [...inHand.keys()], lease);
    await dropExpired();
    lastUpkeep = performance.now();
  }

  async function dropExpired(): Promise<void> {
    const dropped = await deleteExpired(db);
    for (const mail of dropped) {
      if (mail.kind !== nobodys) tellLoss(log, mail, "what is in it is over");
    }
    if (dropped.length === mostDeleted) await dropExpired();
  }

  /** Fills the free places; resolves with how many mails were taken. */
  async function claim(ahead: number): Promise<number> {
    const free = atOnce - inHand.size;
    for (let taken = 0; taken < free; taken += 1) {
      const mail = await nextMail(ahead);
      if (mail === null) return taken;
      const work = carry(mail).finally(() => {
        inHand.delete(mail);
        nap.end();
      });
      inHand.set(mail, work);
    }
    return free;
  }

  /**
   * The last place is kept for the first try of an address's first mail, and for queues that do not fill the
   * others: many mails to some addresses, or such as a server is slow to take, must not hold up everybody
   * else's.
   */
  function nextMail(ahead: number): Promise<ClaimedMail | null> {
    if (inHand.size < atOnce - 1) return claimMail(db, { ahead, lease });
    const queues = [...inHand.keys()].map(({ queue }) => queue);
    const except = queues.filter((queue) => queues.filter((one) => one === queue).length >= crowd);
    return claimFreshMail(db, { ahead, lease, except });
  }

  async function carry(mail: ClaimedMail): Promise<void> {
    const begin = performance.now();
    const failure = await failureIn(mail);
    if (failure === "cut") {
      left.add(mail);
      return;
    }
    if (failure === null) {
      tellSent(log, mail);
      finished.add(mail.id);
      return;
    }
    const secondsLeft = mail.secondsLeft - (performance.now() - begin) / 1000;
    const { pauses } = patience;
    const fate = await reactTo({ db, log, pauses }, mail, { ...failure, secondsLeft });
    if (fate === "given-up") finished.add(mail.id);
  }

  /** Null when the mail is handed over. */
  async function failureIn(mail: ClaimedMail): Promise<Failure | "cut" | null> {
    try {
      await send(mail);
      return null;
    } catch (error) {
      return hasGivenUp ? "cut" : failureOf(error);
    }
  }

  function wake(): void {
    const isLively = performance.now() < livelyUntil;
    livelyUntil = performance.now() + headStart + 2 * soon;
    if (!isLively) nap.end();
  }

  async function close(): Promise<void> {
    isClosing = true;
    nap.end();
    const cutting = setTimeout(() => {
      hasGivenUp = true;
      cut();
    }, patience.grace);
    await running;
    try {
      await finish();
    } catch (error) {
      log.warn({ reason: reasonOf(error) }, "Stored mails are left to other processes");
    }
    clearTimeout(cutting);
  }

  /** Sends what is due, what was stored a moment ago included. */
  async function finish(): Promise<void> {
    while (!hasGivenUp) {
      await deleteFinished();
      const wasIdle = inHand.size === 0;
      const taken = await claim(headStart);
      if (wasIdle && taken === 0) break;
      // Those taken may be on their way already.
      if (inHand.size > 0) await Promise.race(inHand.values());
    }
    await Promise.all(inHand.values());
    await deleteFinished();
    if (left.size > 0) await postponeMails(db, [...left], 0);
  }

  return {
    start: () => {
      running = run();
    },
    wake,
    close,
  };
}
