import { fewest, type Judgement, type Loan, type Question } from "./lender.js";
import type { Judge } from "./limiter.js";
import type { Ended, Rate, Verdict } from "./windows.js";

/** How a worker reaches the process that counts. */
export interface Counting {
  /** Null where it is gone. */
  ask(question: Question): Promise<Judgement | null>;
  giveBack(key: string, loan: Ended): void;
}

/** Milliseconds of a clock that never jumps, and what is to be done so many later. */
export interface Timing {
  now(): number;
  after(ms: number, work: () => void): void;
}

const ofProcess: Timing = {
  now: () => performance.now(),
  // What waits for one has a connection, which keeps the process alive.
  after: (ms, work) => void setTimeout(work, ms).unref(),
};

interface Held extends Loan {
  readonly rate: Rate;
  /** Of its places. */
  unused: number;
  readonly begun: number;
  readonly until: number;
  /** Places that are left besides these. */
  readonly left: number;
  readonly seconds: number;
}

/** A key is asked for often from so many requests in about a period on. Others are not worth a loan. */
const often = 16;

/** Milliseconds. */
const period = 50;

/** The next loan is asked for when this part of one is left, so that nobody waits for it. */
const lastPart = 0.1;

/** Loans of which this part is left are renewed with another's: questions of one round go in one message. */
const companionPart = 0.5;

/** A loan is renewed for so many times what its whole time would use at the present rate. */
const renewed = 1.5;

/** The present rate is that of this part of a loan's time at least. */
const leastPart = 0.1;

/** Keys that are remembered; of others nothing is borrowed. */
const maxKeys = 10_000;

/** Milliseconds between questions about a request that is refused while places may be given back. */
const pause = 10;

/** By then all loans have ended, and they were given back. */
const maxQuestions = 50;

/** Judges in a worker: by places that it has borrowed of a key that is asked for often, or else by asking. */
export function newBorrower(counting: Counting, { now, after }: Timing = ofProcess): Judge {
  const loans = new Map<string, Held>();
  /** Loans that are asked for. */
  const wished = new Map<string, Promise<unknown>>();
  /** What is left of loans that were renewed: it goes back with the next message, at the present loan's end at the latest. */
  let replaced: (readonly [key: string, loan: Ended])[] = [];
  /** Requests of each key in this period, and in the one before. */
  let recent = new Map<string, number>();
  let former = recent;
  let since = now();
  let isSweeping = false;

  function judge(key: string): Verdict | null {
    const loan = loans.get(key);
    if (loan === undefined) return null;
    const time = now();
    if (loan.unused === 0 || time >= loan.until) {
      end(key, loan);
      return null;
    }
    loan.unused -= 1;
    if (isDue(loan, time, lastPart) && isWorthMore(key, loan)) renewFrom(time);
    return { isAllowed: true, left: loan.left + loan.unused, seconds: loan.seconds };
  }

  /** Asks for further loans. What is left of the present ones is used in the meantime. */
  function renewFrom(time: number): void {
    for (const [key, loan] of loans) {
      const { rate, ms, begun, until } = loan;
      if (time >= until) end(key, loan);
      else if (isWorthMore(key, loan) && isDue(loan, time, companionPart)) {
        const parts = ms / Math.max(time - begun, leastPart * ms);
        const wish = Math.ceil(renewed * usedOf(loan) * parts);
        void borrow({ key, rate, requests: 0, wish });
      }
    }
  }

  function isWorthMore(key: string, loan: Held): boolean {
    return usedOf(loan) >= often && !wished.has(key);
  }

  async function borrow(question: Question): Promise<Verdict | null> {
    const { key, rate } = question;
    const time = now();
    const asking = ask(question);
    wished.set(key, asking);
    const judged = await asking;
    wished.delete(key);
    const present = loans.get(key);
    const back = present?.unused ?? 0;
    if (present !== undefined) replaced.push([key, close(key, present)]);
    if (judged === null) return null;
    const { seconds, loan } = judged;
    const left = judged.isAllowed ? judged.left + back : 0;
    if (loan === null) {
      forget(key);
      giveBackReplaced();
    } else {
      const { places, ms } = loan;
      const rest = left - places;
      const times = { begun: time, until: time + ms };
      loans.set(key, { ...loan, ...times, rate, unused: places, left: rest, seconds });
      if (!isSweeping) sweepSoon();
    }
    const isOver = judged.isFinal || question.requests === 0;
    return isOver ? { ...judged, left } : askAgain(question);
  }

  async function waitFor(loan: Promise<unknown>, question: Question): Promise<Verdict | null> {
    await loan;
    return judge(question.key) ?? askUntilFinal(question);
  }

  async function askUntilFinal(question: Question): Promise<Verdict | null> {
    const judged = await ask(question);
    return judged?.isFinal === false ? askAgain(question) : judged;
  }

  /** While it is refused and places may be given back. */
  async function askAgain({ key, rate }: Question): Promise<Verdict | null> {
    let judged: Judgement | null = null;
    for (let asked = 0; asked < maxQuestions; asked += 1) {
      await new Promise<void>((resolve) => after(pause, resolve));
      judged = await ask({ key, rate, requests: 1, wish: 0 });
      if (judged?.isFinal !== false) break;
    }
    return judged;
  }

  function ask(question: Question): Promise<Judgement | null> {
    giveBackReplaced();
    return counting.ask(question);
  }

  function end(key: string, loan: Held): void {
    giveBackReplaced();
    counting.giveBack(key, close(key, loan));
  }

  function giveBackReplaced(): void {
    for (const [key, loan] of replaced) counting.giveBack(key, loan);
    replaced = [];
  }

  function close(key: string, loan: Held): Ended {
    const { group, places, unused } = loan;
    loans.delete(key);
    count(key, usedOf(loan));
    return { group, places, unused };
  }

  /** Gives back the places of keys that nobody asks for any more. */
  function sweep(): void {
    const time = now();
    for (const [key, loan] of loans) if (time >= loan.until) end(key, loan);
    isSweeping = false;
    if (loans.size > 0) sweepSoon();
  }

  function sweepSoon(): void {
    isSweeping = true;
    after(period, sweep);
  }

  /** Returns how many requests of the key there were lately. */
  function count(key: string, more: number): number {
    const passed = now() - since;
    if (passed >= period) {
      former = passed < 2 * period ? recent : new Map();
      recent = new Map();
      since += passed;
    }
    const sum = (recent.get(key) ?? 0) + more;
    if (recent.size < maxKeys) recent.set(key, sum);
    return sum + (former.get(key) ?? 0);
  }

  /** Near its limit, a key is lent nothing: it is asked for a loan less often. */
  function forget(key: string): void {
    recent.delete(key);
    former.delete(key);
  }

  return (limit, name, rate) => {
    const key = `${limit} ${name}`;
    const judged = judge(key);
    if (judged !== null) return judged;
    const lately = count(key, 1);
    const question: Question = { key, rate, requests: 1, wish: 0 };
    const borrowing = wished.get(key);
    if (borrowing !== undefined) return waitFor(borrowing, question);
    const isWorthIt = lately >= often && rate.count > fewest;
    return isWorthIt ? borrow({ ...question, wish: 2 * lately }) : askUntilFinal(question);
  };
}

function usedOf({ places, unused }: Held): number {
  return places - unused;
}

function isDue({ places, unused, until, ms }: Held, time: number, part: number): boolean {
  return time >= until - part * ms || unused <= part * places;
}
