/** The candidate that a mistyped word most likely means; null when none is close. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const ranked = candidates
    .map((candidate) => ({ candidate, edits: distance(plain(word), plain(candidate)) }))
    .sort((one, other) => one.edits - other.edits);
  const best = ranked[0];
  const allowed = Math.max(1, Math.min(3, Math.floor(word.length / 2)));
  return best !== undefined && best.edits <= allowed ? best.candidate : null;
}

/** `corsOrigins`, `cors-origins` and `cors_origins` are the same word to their writer. */
function plain(word: string): string {
  return word.replaceAll(/[_-]/g, "").toLowerCase();
}

/** Levenshtein's distance, one row of the table at a time. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1];
    for (let index = 0; index < to.length; index += 1) {
      const replaced = (row[index] ?? 0) + (letter === to[index] ? 0 : 1);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
