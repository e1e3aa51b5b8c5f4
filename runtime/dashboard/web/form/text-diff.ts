/** A part of a text in a comparison with another version of it. */
export interface Piece {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/**
 * Maximum number of cells (the product of both word counts) for which texts are compared; longer texts are shown
 * complete.
 */
const maxCells = 1_000_000;

/** Returns the changes of a text by word (longest common subsequence). */
export function difference(from: string, to: string): readonly Piece[] {
  const [old, fresh] = [wordsOf(from), wordsOf(to)];
  if (old.length * fresh.length > maxCells) return joined([gone(from), added(to)]);
  const lengths = commonLengths(old, fresh);
  const width = fresh.length + 1;
  const pieces: Piece[] = [];
  let [at, other] = [0, 0];
  while (at < old.length || other < fresh.length) {
    const [word, next] = [old[at], fresh[other]];
    const below = lengths[(at + 1) * width + other] ?? -1;
    const beside = lengths[at * width + other + 1] ?? -1;
    if (word !== undefined && word === next) {
      pieces.push({ kind: "same", text: word });
      at += 1;
      other += 1;
    } else if (word !== undefined && (next === undefined || below >= beside)) {
      pieces.push(gone(word));
      at += 1;
    } else {
      pieces.push(added(next ?? ""));
      other += 1;
    }
  }
  return joined(pieces);
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\s+|[^\s]+/gu) ?? [];
}

function gone(text: string): Piece {
  return { kind: "gone", text };
}

function added(text: string): Piece {
  return { kind: "new", text };
}

/** Returns the weight of a common word. A space weighs less, because spaces alone would align unrelated parts. */
function weightOf(word = ""): number {
  return /\s/.test(word) ? 1 : 2;
}

/** Returns the weight of the common subsequence of each pair of suffixes. */
function commonLengths(old: readonly string[], fresh: readonly string[]): Uint32Array {
  const width = fresh.length + 1;
  const lengths = new Uint32Array((old.length + 1) * width);
  for (let at = old.length - 1; at >= 0; at -= 1) {
    for (let other = fresh.length - 1; other >= 0; other -= 1) {
      lengths[at * width + other] =
        old[at] === fresh[other]
          ? (lengths[(at + 1) * width + other + 1] ?? 0) + weightOf(old[at])
          : Math.max(lengths[(at + 1) * width + other] ?? 0, lengths[at * width + other + 1] ?? 0);
    }
  }
  return lengths;
}

function joined(pieces: readonly Piece[]): readonly Piece[] {
  const long: Piece[] = [];
  for (const piece of pieces) {
    const last = long.at(-1);
    if (piece.text === "") continue;
    if (last?.kind === piece.kind)
      long[long.length - 1] = { ...last, text: last.text + piece.text };
    else long.push(piece);
  }
  return long;
}
