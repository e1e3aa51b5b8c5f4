import { type Ended, loanMs, newWindows, type Rate, type Verdict } from "./windows.js";

/** Asks for one request or, where a loan is renewed, for none; and for so many places to borrow, 0 for none. */
export interface Question {
  readonly key: string;
  readonly rate: Rate;
  readonly requests: 0 | 1;
  readonly wish: number;
}

/** Places for further requests of a key, which whoever asked judges by itself. */
export interface Loan {
  readonly group: number;
  readonly places: number;
  /** Milliseconds from when it asked. */
  readonly ms: number;
}

export interface Judgement extends Verdict {
  readonly loan: Loan | null;
  /** False for a refusal while places are lent that may be given back: it is to ask again soon. */
  readonly isFinal: boolean;
}

/** Counts for the workers of a machine, and lends them places. */
export interface Lender {
  judge(question: Question): Judgement;
  takeBack(key: string, loan: Ended): void;
}

/** Where fewer are left, none are lent: whoever is near its limit is told exactly what is left. */
export const fewest = 1_000;

/** The present loans of a key are this part of what is left at most. What those before them have left comes back soon. */
const part = 8;

export function newLender(workers: number, now: () => number = () => performance.now()): Lender {
  const windows = newWindows(now, loanMs);

  return {
    judge({ key, rate, requests, wish }) {
      const time = now();
      const verdict = requests === 0 ? windows.look(key, rate) : windows.judge(key, rate);
      const { isAllowed, left } = verdict;
      if (!isAllowed) return { ...verdict, loan: null, isFinal: !windows.isLent(key) };
      const places = left < fewest ? 0 : Math.min(wish, Math.floor(left / part / workers));
      if (places === 0) return { ...verdict, loan: null, isFinal: true };
      const ms = loanMs(rate);
      // Who asked counts from an earlier time, so its loan ends before this one.
      const group = windows.lend(key, rate, { places, until: time + ms });
      return { ...verdict, loan: { group, places, ms }, isFinal: true };
    },
    takeBack: windows.takeBack,
  };
}
