import type { Queryable } from "../db/index.js";
import { type Failure, failureOf } from "./failure.js";
import { headStart } from "./outbox.js";
import {
  type Claim,
  type ClaimedMail,
  claimMails,
  deleteExpired,
  deleteMails,
  deleteNobodys,
  postponeMails,
  renewLease,
} from "./store.js";

/** Sends the stored mails, those of other processes too. */
export interface Delivery {
  start(): void;
  /** A mail was stored just now: look soon. */
  wake(): void;
  /** Sends what is due, gives up after some seconds, and leaves the rest to others. */
  close(): Promise<void>;
}

/** Where the mail's fate is told; a part of pino's logger. */
export interface MailLog {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
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
  /** Seconds between a try that failed and the next one; the last one again and again. */
  readonly pauses: readonly number[];
  /** Milliseconds that `close` waits. */
  readonly grace: number;
}

const usual: Patience = {
  pauses: [1, 5, 30, 120, 600],
  // `service dev` kills a server five seconds after it asked it to end.
  grace: 4_000,
};

/** Mails that one process hands over at a time, and so its connections to the mail server. */
export const atOnce = 5;

/** Seconds after which others take over what a process held that is gone. */
const lease = 15;

/** Seconds before what is in a mail is over: for its last tries, whatever the pause, and when it is too late. */
const lastTries = 5;
const tooLate = 2;

/** Seconds between those last tries. */
const shortestPause = 1;

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
  const inHand = new Map<string, Promise<void>>();
  /** To be deleted. What the database could not be told goes with the next look. */
  const finished = new Set<string>();
  /** What closing has cut short. */
  const left = new Set<string>();
  let isClosing = false;
  let hasGivenUp = false;
  let isDown = false;
  let livelyUntil = 0;
  let lastUpkeep = 0;
  let endNap = () => {};
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    while (!isClosing) {
      await lookOrTell();
      await nap(!isDown && performance.now() < livelyUntil ? soon : late);
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
    for (const mail of await deleteExpired(db)) tellLoss(mail, "what is in it is over");
    lastUpkeep = performance.now();
  }

  /**
   * Fills the free places. The last one is kept for the first try of an address's first mail: many mails
   * to some addresses, or such as a server is slow to take, must not hold up everybody else's.
   */
  async function claim(ahead: number): Promise<void> {
    const free = atOnce - inHand.size;
    if (free > 1) await take({ count: free - 1, isForFresh: false, ahead, lease });
    if (inHand.size === atOnce - 1) await take({ count: 1, isForFresh: true, ahead, lease });
  }

  async function take(wanted: Claim): Promise<void> {
    for (const mail of await claimMails(db, wanted)) {
      const work = carry(mail).finally(() => {
        inHand.delete(mail.id);
        endNap();
      });
      inHand.set(mail.id, work);
    }
  }

  async function carry(mail: ClaimedMail): Promise<void> {
    const begin = performance.now();
    const failure = await failureIn(mail);
    if (failure === "cut") {
      left.add(mail.id);
      return;
    }
    if (failure === null) {
      log.debug(about(mail), "A mail was sent");
      finished.add(mail.id);
      return;
    }
    const { isFinal, reason } = failure;
    const secondsLeft = mail.secondsLeft - (performance.now() - begin) / 1000;
    if (isFinal || secondsLeft < tooLate) {
      tellLoss(mail, reason);
      finished.add(mail.id);
      return;
    }
    const pause = patience.pauses[mail.tries - 1] ?? patience.pauses.at(-1) ?? 0;
    const wait = Math.min(pause, Math.max(shortestPause, secondsLeft - lastTries));
    log.warn({ ...about(mail), reason, wait: Math.round(wait * 1000) }, "A mail is tried again");
    // Where it cannot be noted, the lease ends.
    await postponeMails(db, [mail.id], wait).catch(() => {});
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

  function nap(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      timer.unref();
      endNap = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function wake(): void {
    const isLively = performance.now() < livelyUntil;
    livelyUntil = performance.now() + headStart + 2 * soon;
    if (!isLively) endNap();
  }

  function tellLoss(mail: Pick<ClaimedMail, "email" | "kind">, reason: string): void {
    log.warn({ ...about(mail), reason }, "A mail was not sent");
  }

  async function close(): Promise<void> {
    isClosing = true;
    endNap();
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
      await claim(headStart);
      if (inHand.size === 0) break;
      await Promise.race(inHand.values());
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

/** What a log may know of a mail. */
function about({ email, kind }: Pick<ClaimedMail, "email" | "kind">): {
  readonly to: string;
  readonly kind: string;
} {
  return { to: email, kind };
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : "an unknown failure";
}
