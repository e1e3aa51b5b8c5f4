/** Texts for which the pool is asked because the pipeline could not answer them at once. */
export interface Detours {
  /** False once a second, for the one that is to try. */
  isOn(text: string): boolean;
  begin(text: string): void;
  /** Hears of an answer that took long; several in a row begin a detour. */
  slow(text: string): void;
  end(text: string): void;
}

/** One alone may be a pause of our own process. */
const mostSlow = 3;

/**
 * A detour lasts until a read of the text gets through: one a second tries. So a table that somebody
 * locked holds the pipeline up for one short wait a second, however many ask for it.
 */
export function newDetours(tryMs = 1_000): Detours {
  const nextTry = new Map<string, number>();
  const slowInRow = new Map<string, number>();
  const begin = (text: string) => {
    slowInRow.delete(text);
    note(nextTry, text, performance.now() + tryMs);
  };
  return {
    isOn(text) {
      const next = nextTry.get(text);
      if (next === undefined) return false;
      const now = performance.now();
      if (now < next) return true;
      nextTry.set(text, now + tryMs);
      return false;
    },
    begin,
    slow(text) {
      const count = (slowInRow.get(text) ?? 0) + 1;
      note(slowInRow, text, count);
      if (count >= mostSlow) begin(text);
    },
    end(text) {
      nextTry.delete(text);
      slowInRow.delete(text);
    },
  };
}

/** Clients choose some texts, and need never ask one again. */
const mostTexts = 500;

function note(map: Map<string, number>, text: string, value: number): void {
  if (map.size >= mostTexts && !map.has(text)) map.clear();
  map.set(text, value);
}
