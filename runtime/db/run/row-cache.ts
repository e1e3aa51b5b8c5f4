import type { Plan } from "../statement/plan.js";

/** A row, and the snapshot in which it was read. */
export interface CachedRow {
  /** The snapshot selected by `snapshotSql`. */
  readonly _snapshot: string;
}

/**
 * Caches the rows of plans until something is written. A row is only used after PostgreSQL has confirmed that its
 * snapshot is still current. Of the 267 µs that PostgreSQL takes for a page, 180 make its JSON, which this saves.
 */
export interface RowCache {
  /** Null if there is no row, or if the latest known snapshot differs. */
  find(plan: Plan): CachedRow | null;
  /** Whether a found row is still cached, and is what a statement with this snapshot would read. */
  isCurrent(found: CachedRow, snapshot: string): boolean;
  /** Adds a row, unless something was written just before: then it would hardly be used in time. */
  add(plan: Plan, row: CachedRow): void;
  /** Clears the cache: after a crash, a server may reuse the numbers of lost transactions. */
  clear(): void;
}

/**
 * Maximum size of the cache: characters of all entries, plus `entrySize` each. A character takes one byte, or two in
 * text beyond Latin-1.
 */
const maxSize = 16 * 1024 * 1024;

/** Maximum number of characters in one row. */
const maxRowSize = 256 * 1024;

/** Overhead of an entry besides the characters of its row, its values and its text. */
const entrySize = 500;

/**
 * How long a row is cached, in milliseconds. A row-level security policy that compares with the time may take effect
 * late by this time.
 */
const maxAge = 2_000;

interface Entry {
  readonly text: string;
  readonly key: string;
  readonly row: CachedRow;
  readonly size: number;
  readonly until: number;
}

/** `now` returns milliseconds of a monotonic clock. */
export function newRowCache(now: () => number = () => performance.now()): RowCache {
  /** By text first: a text is long, and mostly the same object, which is hashed once. */
  const byText = new Map<string, Map<string, Entry>>();
  /** By row, in order of insertion. */
  const entries = new Map<CachedRow, Entry>();
  let size = 0;
  let lastSnapshot = "";
  let timer: NodeJS.Timeout | undefined;

  function remove(entry: Entry): void {
    const same = byText.get(entry.text);
    same?.delete(entry.key);
    if (same?.size === 0) byText.delete(entry.text);
    entries.delete(entry.row);
    size -= entry.size;
  }

  /** Removes expired entries, and the oldest while the total is too large. */
  function removeOld(): void {
    for (const entry of entries.values()) {
      if (size <= maxSize && entry.until > now()) return;
      remove(entry);
    }
    clearInterval(timer);
    timer = undefined;
  }

  return {
    find(plan) {
      const entry = byText.get(plan.text)?.get(keyOf(plan));
      if (entry === undefined) return null;
      if (entry.row._snapshot === lastSnapshot && entry.until > now()) return entry.row;
      remove(entry);
      return null;
    },
    isCurrent(row, present) {
      lastSnapshot = present;
      return row._snapshot === present && entries.has(row);
    },
    add(plan, row) {
      const { _snapshot: snapshot } = row;
      // A read without a row reveals no snapshot.
      if (snapshot === "") return;
      const isQuiet = snapshot === lastSnapshot;
      lastSnapshot = snapshot;
      if (!isQuiet) return;
      const rowSize = sizeOf(row);
      if (rowSize > maxRowSize) return;
      const { text } = plan;
      const key = keyOf(plan);
      const same = byText.get(text) ?? new Map<string, Entry>();
      const former = same.get(key);
      if (former !== undefined) remove(former);
      const entry = {
        ...{ text, key, row },
        ...{ size: rowSize + key.length + text.length + entrySize, until: now() + maxAge },
      };
      byText.set(text, same.set(key, entry));
      entries.set(row, entry);
      size += entry.size;
      if (size > maxSize) removeOld();
      timer ??= setInterval(removeOld, maxAge).unref();
    },
    clear() {
      byText.clear();
      entries.clear();
      size = 0;
      lastSnapshot = "";
    },
  };
}

/** The values of a plan, and its caller if the result depends on it. */
function keyOf({ values, depends, caller }: Plan): string {
  const whose = depends === "caller" && caller !== undefined ? caller.key : "";
  return `${whose} ${JSON.stringify(values)}`;
}

function sizeOf(row: object): number {
  return Object.values(row).reduce((sum: number, value) => sum + String(value).length, 0);
}
