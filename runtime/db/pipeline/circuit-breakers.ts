/** Circuit breakers by statement text: while one is open, the pool runs the text instead of the pipeline. */
export interface CircuitBreakers {
  /** Whether the pool has to run the statement. Once a second it returns false, so that one read tests the pipeline. */
  isOpen(text: string): boolean;
  open(text: string): void;
  /** Counts a slow response; several in a row open the breaker. */
  countSlow(text: string): void;
  close(text: string): void;
}

/** The number of slow responses in a row that open a breaker: a single one may be a pause of this process. */
const maxSlow = 3;

/**
 * Creates circuit breakers. A breaker stays open until a read of its text is fast again; one read per second tests
 * this. A locked table thus blocks the pipeline for one short wait per second, regardless of the number of requests.
 */
export function newCircuitBreakers(tryMs = 1_000): CircuitBreakers {
  const nextTry = new Map<string, number>();
  const slowInRow = new Map<string, number>();
  const open = (text: string) => {
    slowInRow.delete(text);
    setBounded(nextTry, text, performance.now() + tryMs);
  };
  return {
    isOpen(text) {
      const next = nextTry.get(text);
      if (next === undefined) return false;
      const now = performance.now();
      if (now < next) return true;
      nextTry.set(text, now + tryMs);
      return false;
    },
    open,
    countSlow(text) {
      const count = (slowInRow.get(text) ?? 0) + 1;
      setBounded(slowInRow, text, count);
      if (count >= maxSlow) open(text);
    },
    close(text) {
      nextTry.delete(text);
      slowInRow.delete(text);
    },
  };
}

/** Maximum number of texts: clients determine some texts, and may never repeat one. */
const maxTexts = 500;

function setBounded(map: Map<string, number>, text: string, value: number): void {
  if (map.size >= maxTexts && !map.has(text)) map.clear();
  map.set(text, value);
}
