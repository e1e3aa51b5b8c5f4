/** `did you mean "maxLength"?`; null if no candidate is close enough. */
export function didYouMean(word: string, candidates: readonly string[]): string | null {
  const best = nearest(word, candidates);
  return best === null ? null : `did you mean "${best}"?`;
}

/** The candidate most similar to a mistyped word; null if none is close enough. */
export function nearest(word: string, candidates: readonly string[]): string | null {
  const wanted = bare(word);
  if (wanted === "") {
    return null;
  }
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = distanceBetween(wanted, bare(candidate), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Removes case, dashes and underscores, in which most mistakes are. */
function bare(word: string): string {
  return word.toLowerCase().replace(/[-_\s]/g, "");
}

/**
 * Number of letters to replace, insert, delete or swap with a neighbor (optimal string alignment distance), counted up
 * to `limit`.
 */
function distanceBetween(from: string, to: string, limit: number): number {
  if (Math.abs(from.length - to.length) >= limit) {
    return limit;
  }
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      current[column] = Math.min(
        cost(last, column) + 1,
        cost(current, column - 1) + 1,
        cost(last, column - 1) + (same ? 0 : 1),
        swapped ? cost(beforeLast, column - 2) + 1 : limit,
      );
    }
    beforeLast = last;
    last = current;
  }
  return cost(last, to.length);
}

function cost(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
