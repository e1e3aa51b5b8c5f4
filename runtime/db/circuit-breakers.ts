/** Texts for which the pool is asked because the pipeline could not answer them at once. */
export interface CircuitBreakers {
  /** False once a second, for the one that is to try. */
  isOpen(text: string): boolean;
  open(text: string): void;
  /** Hears of an answer that took long; several in a row begin a detour. */
  countSlow(text: string): void;
  close(text: string): void;
}

/** One alone may be a pause of our own process. */
const maxSlow = 3;

/**
 * A detour lasts until a read of the text gets through: one a second tries. So a table that somebody
 * locked holds the pipeline up for one short wait a second, however many ask for it.
 */
export function newCircuitBreakers(tryMs = 1_000): CircuitBreakers {
  const nextTry = new Map<string, number>();
  const slowInRow = new Map<string, number>();
  const begin = (text: string) => {
    slowInRow.delete(text);
    note(nextTry, text, performance.now() + tryMs);
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
    open: begin,
    countSlow(text) {
      const count = (slowInRow.get(text) ?? 0) + 1;
      note(slowInRow, text, count);
      if (count >= maxSlow) begin(text);
    },
    close(text) {
      nextTry.delete(text);
      slowInRow.delete(text);
    },
  };
}

/** Clients choose some texts, and need never ask one again. */
const maxTexts = 500;

function note(map: Map<string, number>, text: string, value: number): void {
  if (map.size >= maxTexts && !map.has(text)) map.clear();
  map.set(text, value);
}
