/** So many of something in so many seconds. */
export interface Rate {
  readonly count: number;
  readonly seconds: number;
}

/** What a limit says about a request. */
export interface Verdict {
  readonly isAllowed: boolean;
  /** Places that are left. */
  readonly left: number;
  /** Whole seconds until one more is free. */
  readonly seconds: number;
}

/** Counts what it lets pass, by keys. */
export interface Windows {
  /** Judges one more of that key, and counts it where it is let pass. */
  judge(key: string, rate: Rate): Verdict;
  /** What is left of that key, without a request; it is allowed where none is. */
  look(key: string, rate: Rate): Verdict;
  /**
   * Lends places of a key that was judged or looked at just now, until that time: they count as used then. Returns the
   * group that they are in.
   */
  lend(key: string, rate: Rate, loan: { readonly places: number; readonly until: number }): number;
  /** Takes back what was not used of a loan. */
  takeBack(key: string, loan: Ended): void;
  /** Whether places of the key may still be given back soon. */
  isLent(key: string): boolean;
}

/** A loan that has ended. */
export interface Ended {
  readonly group: number;
  readonly places: number;
  readonly unused: number;
}

/** Those that passed at about the same time: they are forgotten together, the span after the last of them. */
interface Group {
  /** Its name, too: no other of the key has the same. */
  readonly first: number;
  last: number;
  count: number;
  /** Of these, those that were lent, and of which nobody has said yet whether they were used. */
  lent: number;
  /** When their loans end. */
  lentUntil: number;
}

/** Parts of a span: a place is free again one of them late at most. */
const parts = 10;

/** Milliseconds; what a worker does not use is missing elsewhere for so long, or twice as long where it renews the loan. */
const maxLoanMs = 200;

/** Milliseconds after the end of the last loan in which all are given back; of a worker that does not, all are used. */
const graceMs = 100;

/** Keys that are remembered: about 20 MB where each has come a few times. Then those go which were seen longest ago. */
const maxKeys = 100_000;

/** Groups of all keys together: about 100 MB. */
const maxGroups = 1_000_000;

/** Milliseconds for which places may be lent: a loan and the width of a group are a part of the span together. */
export function loanMs({ seconds }: Rate): number {
  return Math.min(0.9 * ((seconds * 1_000) / parts), maxLoanMs);
}

/** `now` answers milliseconds of a clock that never jumps, `lentFor` for how many of them places are lent. */
export function newWindows(
  now: () => number = () => performance.now(),
  lentFor: (rate: Rate) => number = () => 0,
): Windows {
  /** The key seen last at the end. */
  const kept = new Map<string, Group[]>();
  let groups = 0;

  function judge(key: string, rate: Rate, requests: number): Verdict {
    const { count: max, seconds } = rate;
    const time = now();
    const span = seconds * 1_000;
    const found = kept.get(key) ?? [];
    kept.delete(key);
    kept.set(key, found);
    while ((found[0]?.last ?? time) <= time - span) {
      found.shift();
      groups -= 1;
    }
    while (kept.size > maxKeys || groups > maxGroups) forgetOldest();
    const used = found.reduce((sum, { count }) => sum + count, 0);
    const isAllowed = used + requests <= max;
    if (isAllowed && requests > 0) groupOf(found, time, rate).count += 1;
    const free = Math.max(1, Math.ceil(((found[0]?.last ?? time) + span - time) / 1_000));
    return {
      isAllowed,
      left: isAllowed ? max - used - requests : 0,
      // The last of a group may be the end of a loan, which is to come.
      seconds: isAllowed ? Math.min(free, seconds) : free,
    };
  }

  function forgetOldest(): void {
    const [oldest = ""] = kept.keys();
    groups -= kept.get(oldest)?.length ?? 0;
    kept.delete(oldest);
  }

  /** The group of what passes now. */
  function groupOf(found: Group[], time: number, rate: Rate): Group {
    const width = (rate.seconds * 1_000) / parts - lentFor(rate);
    const latest = found.at(-1);
    if (latest !== undefined && time - latest.first < width) {
      latest.last = Math.max(latest.last, time);
      return latest;
    }
    const group = { first: time, last: time, count: 0, lent: 0, lentUntil: 0 };
    found.push(group);
    groups += 1;
    return group;
  }

  return {
    judge: (key, rate) => judge(key, rate, 1),
    look: (key, rate) => judge(key, rate, 0),
    lend(key, rate, { places, until }) {
      const found = kept.get(key);
      if (found === undefined) throw new Error("The key was not judged");
      const group = groupOf(found, now(), rate);
      group.last = Math.max(group.last, until);
      group.count += places;
      group.lent += places;
      group.lentUntil = Math.max(group.lentUntil, until);
      return group.first;
    },
    takeBack(key, { group: first, places, unused }) {
      const group = kept.get(key)?.find((one) => one.first === first);
      if (group === undefined) return;
      group.count -= unused;
      group.lent -= places;
    },
    isLent(key) {
      const time = now();
      const found = kept.get(key) ?? [];
      return found.some(({ lent, lentUntil }) => lent > 0 && time < lentUntil + graceMs);
    },
  };
}
