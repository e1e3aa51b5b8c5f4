/** A read of at most one row. */
export interface CachedRead {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Whose rows it reads, where neither the text nor a value says that. */
  readonly of?: string;
}

/** The row of a read, and the snapshot in which it was read. */
export interface CachedRow<Row> {
  readonly row: Row;
  /** What `snapshotSql` selects. */
  readonly snapshot: string;
}

/**
 * The rows of reads, for those who ask for the same before anything is written. A row is only used once PostgreSQL has said
 * that its snapshot is still the present one.
 */
export interface RowCache {
  /** Null where there is no row, or the last snapshot that was seen is already another one. */
  find<Row>(read: CachedRead): CachedRow<Row> | null;
  /** Whether a row that was found is still cached, and is what a statement with this snapshot would read. */
  isCurrent(found: CachedRow<unknown>, snapshot: string): boolean;
  /** Adds a row, unless something was written just before: then it would hardly be used in time. */
  add(read: CachedRead, found: CachedRow<object>): void;
  /** Forgets all: a server that has crashed may give the numbers of transactions that were lost to others. */
  clear(): void;
}

/** Characters of all entries together, with `entrySize` for each: as many bytes, or twice as many where not all are of Latin-1. */
const maxSize = 16 * 1024 * 1024;

/** Characters in one row. */
const maxRowSize = 256 * 1024;

/** Characters in a statement: only conditions of some hundred parts make longer ones. */
const maxTextSize = 16 * 1024;

/** What an entry takes besides the characters of its row, its values and its text. */
const entrySize = 500;

/** Milliseconds for which a row is kept: a row policy of the table that compares with the time may be that late. */
const maxAge = 2_000;

/** The methods of `Access` whose reads may take longer than to ask for the present snapshot. */
const methods: ReadonlySet<string> = new Set(["browse", "list", "find", "search", "aggregate"]);

/** Whether the rows of a read can be cached; not where they also depend on the time, or the statement is very long. */
export function isCacheable(text: string, via: string): boolean {
  return methods.has(via) && text.length <= maxTextSize && !text.includes("now()");
}

interface Entry extends CachedRow<object> {
  readonly text: string;
  readonly key: string;
  readonly size: number;
  readonly until: number;
}

/** `now` returns milliseconds of a monotonic clock. */
export function newRowCache(now: () => number = () => performance.now()): RowCache {
  /** By text first: it is long, and mostly the same object, which is hashed once. */
  const byText = new Map<string, Map<string, Entry>>();
  /** In the order in which they were added. */
  const entries = new Set<Entry>();
  let size = 0;
  let lastSnapshot = "";
  let timer: NodeJS.Timeout | undefined;

  function remove(entry: Entry): void {
    const same = byText.get(entry.text);
    same?.delete(entry.key);
    if (same?.size === 0) byText.delete(entry.text);
    entries.delete(entry);
    size -= entry.size;
  }

  /** Removes what is too old, and the oldest as long as all together are too large. */
  function removeOld(): void {
    for (const entry of entries) {
      if (size <= maxSize && entry.until > now()) return;
      remove(entry);
    }
    clearInterval(timer);
    timer = undefined;
  }

  return {
    find<Row>({ text, values, of }: CachedRead) {
      const entry = byText.get(text)?.get(keyOf(values, of));
      if (entry === undefined) return null;
      const isUsable = entry.snapshot === lastSnapshot && entry.until > now();
      if (isUsable) return entry as CachedRow<unknown> as CachedRow<Row>;
      remove(entry);
      return null;
    },
    isCurrent(found, present) {
      lastSnapshot = present;
      return found.snapshot === present && entries.has(found as Entry);
    },
    add({ text, values, of }, { row, snapshot }) {
      // A read without a row says nothing of what was written.
      if (snapshot === "") return;
      const isQuiet = snapshot === lastSnapshot;
      lastSnapshot = snapshot;
      if (!isQuiet) return;
      const key = keyOf(values, of);
      const rowSize = sizeOf(row);
      if (rowSize > maxRowSize) return;
      const same = byText.get(text) ?? new Map<string, Entry>();
      const former = same.get(key);
      if (former !== undefined) remove(former);
      const entry = {
        ...{ text, key, row, snapshot },
        ...{ size: rowSize + key.length + text.length + entrySize, until: now() + maxAge },
      };
      byText.set(text, same.set(key, entry));
      entries.add(entry);
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

function keyOf(values: readonly unknown[], of = ""): string {
  return `${of} ${JSON.stringify(values)}`;
}

function sizeOf(row: object): number {
  return Object.values(row).reduce((sum: number, value) => sum + String(value).length, 0);
}
