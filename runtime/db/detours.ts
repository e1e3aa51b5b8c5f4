/** Texts for which the pool is asked because the pipeline could not answer them at once. */
export interface Detours {
  /** False once a second, for the one that is to try. */
  isOn(text: string): boolean;
  begin(text: string): void;
  end(text: string): void;
}

/**
 * A detour lasts until a read of the text gets through: one a second tries. So a table that somebody
 * locked holds the pipeline up for one short wait a second, however many ask for it.
 */
export function newDetours(tryMs = 1_000): Detours {
  const nextTry = new Map<string, number>();
  return {
    isOn(text) {
      const next = nextTry.get(text);
      if (next === undefined) return false;
      const now = performance.now();
      if (now < next) return true;
      nextTry.set(text, now + tryMs);
      return false;
    },
    begin: (text) => void nextTry.set(text, performance.now() + tryMs),
    end: (text) => void nextTry.delete(text),
  };
}
