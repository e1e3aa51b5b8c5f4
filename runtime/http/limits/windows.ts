/** A number of events per number of seconds. */
export interface Rate {
  readonly count: number;
  readonly seconds: number;
}

/** A limit's verdict on a request. */
export interface Verdict {
  readonly isAllowed: boolean;
  /** The number of remaining requests. */
  readonly left: number;
  /** Whole seconds until one more is allowed. */
  readonly seconds: number;
}

/** Counts accepted events by key. */
export interface Windows {
  /** Checks an event with that key against the rate, and counts it if it is accepted. */
  judge(key: string, rate: Rate): Verdict;
}

/** Events accepted at about the same time; they expire together, one window after the last of them. */
interface Group {
  readonly first: number;
  last: number;
  count: number;
}

/** Slots per window; a request is forgotten at most one slot late. */
const slots = 10;

/** Maximum number of keys: about 20 MB with a few events each. The least recently used are removed first. */
const maxKeys = 100_000;

/** Maximum number of groups across all keys: about 100 MB. */
const maxGroups = 1_000_000;

/** `now` returns milliseconds of a monotonic clock. */
export function newWindows(now: () => number = () => performance.now()): Windows {
  /** Ordered by last use, the latest at the end. */
  const kept = new Map<string, Group[]>();
  let groups = 0;

  function judge(key: string, { count: max, seconds }: Rate): Verdict {
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
    let used = 0;
    for (const { count } of found) used += count;
    const isAllowed = used < max;
    if (isAllowed) count(found, time, span / slots);
    // Computed first: otherwise, fractions of milliseconds could round the sum up by a second.
    const age = time - (found[0]?.last ?? time);
    const free = Math.max(1, Math.ceil((span - age) / 1_000));
    return { isAllowed, left: isAllowed ? max - used - 1 : 0, seconds: free };
  }

  function forgetOldest(): void {
    const [oldest = ""] = kept.keys();
    groups -= kept.get(oldest)?.length ?? 0;
    kept.delete(oldest);
  }

  function count(found: Group[], time: number, width: number): void {
    const latest = found.at(-1);
    if (latest !== undefined && time - latest.first < width) {
      latest.last = time;
      latest.count += 1;
      return;
    }
    found.push({ first: time, last: time, count: 1 });
    groups += 1;
  }

  return { judge };
}
