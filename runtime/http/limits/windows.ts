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
}

/** Those that passed at about the same time: they are forgotten together, the span after the last of them. */
interface Group {
  readonly first: number;
  last: number;
  count: number;
}

/** Groups of a span: so a place is free again a tenth of the span late at most. */
const groups = 10;

/** Keys that are remembered: about 20 MB. Then those go which were seen longest ago. */
const maxKeys = 100_000;

/** `now` answers milliseconds of a clock that never jumps. */
export function newWindows(now: () => number = () => performance.now()): Windows {
  /** The key seen last at the end. */
  const kept = new Map<string, Group[]>();

  function judge(key: string, { count: max, seconds }: Rate): Verdict {
    const time = now();
    const span = seconds * 1_000;
    const found = kept.get(key) ?? [];
    kept.delete(key);
    kept.set(key, found);
    if (kept.size > maxKeys) forgetOldest();
    while ((found[0]?.last ?? time) <= time - span) found.shift();
    const used = found.reduce((sum, { count }) => sum + count, 0);
    const isAllowed = used < max;
    if (isAllowed) add(found, time, span / groups);
    const free = (found[0]?.last ?? time) + span - time;
    return {
      isAllowed,
      left: isAllowed ? max - used - 1 : 0,
      seconds: Math.max(1, Math.ceil(free / 1_000)),
    };
  }

  function forgetOldest(): void {
    const [oldest = ""] = kept.keys();
    kept.delete(oldest);
  }

  return { judge };
}

function add(found: Group[], time: number, width: number): void {
  const latest = found.at(-1);
  if (latest !== undefined && time - latest.first < width) {
    latest.last = time;
    latest.count += 1;
  } else found.push({ first: time, last: time, count: 1 });
}
