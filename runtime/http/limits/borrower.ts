import { fewest, type Judgement, type Loan, type Question } from "./lender.js";
import type { Judge } from "./limiter.js";
import type { Ended, Verdict } from "./windows.js";

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
  /** Of its places. */
  unused: number;
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
const lastPart = 0.2;

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
    const isLast = time >= loan.until - lastPart * loan.ms || loan.unused <= lastPart * loan.places;
    if (isLast && !wished.has(key)) return null;
    loan.unused -= 1;
    return { isAllowed: true, left: loan.left + loan.unused, seconds: loan.seconds };
  }

  async function borrow(question: Question): Promise<Verdict | null> {
    const { key } = question;
    const time = now();
    const asking = counting.ask(question);
    wished.set(key, asking);
    const judged = await asking;
    wished.delete(key);
    const former = loans.get(key);
    const back = former?.unused ?? 0;
    if (former !== undefined) end(key, former);
    if (judged === null) return null;
    const { seconds, loan } = judged;
    const left = judged.isAllowed ? judged.left + back : 0;
    if (loan === null) forget(key);
    else {
      const { places, ms } = loan;
      const rest = left - places;
      loans.set(key, { ...loan, unused: places, until: time + ms, left: rest, seconds });
      if (!isSweeping) sweepIn(ms);
    }
    return judged.isFinal ? { ...judged, left } : askAgain(question);
  }

  async function waitFor(loan: Promise<unknown>, question: Question): Promise<Verdict | null> {
    await loan;
    return judge(question.key) ?? ask(question);
  }

  async function ask(question: Question): Promise<Verdict | null> {
    const judged = await counting.ask(question);
    return judged?.isFinal === false ? askAgain(question) : judged;
  }

  /** While it is refused and places may be given back. */
  async function askAgain({ key, rate }: Question): Promise<Verdict | null> {
    let judged: Judgement | null = null;
    for (let asked = 0; asked < maxQuestions; asked += 1) {
      await new Promise<void>((resolve) => after(pause, resolve));
      judged = await counting.ask({ key, rate, wish: 0 });
      if (judged?.isFinal !== false) break;
    }
    return judged;
  }

  function end(key: string, { group, places, unused }: Held): void {
    loans.delete(key);
    count(key, places - unused);
    counting.giveBack(key, { group, places, unused });
  }

  /** Gives back the places of keys that nobody asks for any more. */
  function sweep(): void {
    const time = now();
    for (const [key, loan] of loans) if (time >= loan.until) end(key, loan);
    isSweeping = false;
    if (loans.size > 0) sweepIn(period);
  }

  function sweepIn(ms: number): void {
    isSweeping = true;
    after(ms, sweep);
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
    const loan = loans.get(key);
    const lately = Math.max(count(key, 1), loan === undefined ? 0 : loan.places - loan.unused);
    const question = { key, rate, wish: 0 };
    const borrowing = wished.get(key);
    if (borrowing !== undefined) return waitFor(borrowing, question);
    const isWorthIt = lately >= often && rate.count > fewest;
    return isWorthIt ? borrow({ ...question, wish: 2 * lately }) : ask(question);
  };
}
