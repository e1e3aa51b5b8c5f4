import { randomInt } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import { type Failure, failureOf } from "./failure.js";
import type { Message } from "./message.js";

/** Mails on their way, in memory only: a process that is killed loses them, and they are asked for again. */
export interface Queue {
  /** Returns at once and never throws. */
  add(message: Message): void;
  /** Tries what is waiting once more, and gives up after some seconds. */
  close(): Promise<void>;
}

/** Where the mail's fate is told; a part of pino's logger. */
export interface MailLog {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** What a queue hands mails over with. */
export interface QueueOptions {
  /** Composes a mail. What it returns hands the mail over, and throws where that fails. */
  readonly prepare: (message: Message) => () => Promise<void>;
  /** Ends what is being handed over. */
  readonly cut: () => void;
  /** Hears the address and the kind of a mail, never what is in it. */
  readonly log: MailLog;
  readonly bounds?: QueueBounds;
}

/** Where a queue's patience ends; tests have less. */
export interface QueueBounds {
  /** Mails in memory; more are dropped. */
  readonly size: number;
  /** How many are handed over at a time. */
  readonly atOnce: number;
  /** Milliseconds before a mail is first tried, at random below this. */
  readonly headStart: number;
  /** Milliseconds between a try that failed and the next one. */
  readonly pauses: readonly number[];
  /** Milliseconds that `close` waits. */
  readonly grace: number;
}

/** Mails that are handed over at a time, and so the connections to the mail server. */
export const atOnce = 5;

const usual: QueueBounds = {
  size: 1_000,
  atOnce,
  // Composing and sending cost time. Without it the next request would be the slower one whenever
  // this one's address has an account, and who measures both would learn that.
  headStart: 200,
  pauses: [1_000, 5_000, 30_000, 120_000],
  // `service dev` kills a server five seconds after it asked it to end.
  grace: 4_000,
};

/** A mail without a code or link is tried this long. */
const usualMinutes = 60;

/** A queue that hands mails over in the background and tries again where that fails. */
export function openQueue({ prepare, cut, log, bounds = usual }: QueueOptions): Queue {
  const inTurn = pLimit(bounds.atOnce);
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();
  // Each mail that waits is one; Node would take so many for a leak.
  setMaxListeners(bounds.size, closing.signal);
  let hasGivenUp = false;

  function add(message: Message): void {
    if (closing.signal.aborted) {
      tellLoss(message, "the server is closing");
      return;
    }
    if (underWay.size >= bounds.size) {
      tellLoss(message, "too many mails are waiting");
      return;
    }
    const work = carry(message)
      .catch((error: unknown) => tellLoss(message, failureOf(error).reason))
      .finally(() => underWay.delete(work));
    underWay.add(work);
  }

  async function carry(message: Message): Promise<void> {
    const expires = performance.now() + minutesOf(message) * 60_000;
    await pause(randomInt(bounds.headStart + 1));
    const handOver = prepare(message);
    for (const wait of [...bounds.pauses, null]) {
      const failure = await inTurn(() => attempt(handOver, expires));
      if (failure === null) {
        log.debug(about(message), "A mail was sent");
        return;
      }
      const { isFinal, reason } = failure;
      if (isFinal || wait === null || closing.signal.aborted) {
        tellLoss(message, reason);
        return;
      }
      log.warn({ ...about(message), reason, wait }, "A mail is tried again");
      await pause(wait);
    }
  }

  /** Null when the mail is handed over. */
  async function attempt(handOver: () => Promise<void>, expires: number): Promise<Failure | null> {
    if (hasGivenUp) return { isFinal: true, reason: "the server is closing" };
    if (performance.now() > expires) return { isFinal: true, reason: "what is in it is over" };
    try {
      await handOver();
      return null;
    } catch (error) {
      return failureOf(error);
    }
  }

  /** Closing cuts it short. */
  async function pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: closing.signal }).catch(() => {});
  }

  function tellLoss(message: Message, reason: string): void {
    log.warn({ ...about(message), reason }, "A mail was not sent");
  }

  async function close(): Promise<void> {
    closing.abort();
    const late = setTimeout(() => {
      hasGivenUp = true;
      cut();
    }, bounds.grace);
    await Promise.all(underWay);
    clearTimeout(late);
  }

  return { add, close };
}

function minutesOf(message: Message): number {
  return "minutes" in message ? message.minutes : usualMinutes;
}

/** What a log may know of a mail. */
function about({ to, kind }: Message): { readonly to: string; readonly kind: string } {
  return { to, kind };
}
