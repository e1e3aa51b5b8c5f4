/** Representatives of character classes; the first one that a class contains is used. */
const candidates = [..."A1a0-_.@/ #+:"];

/** Numbers of repetitions to try for a part of a pattern without a fixed number. */
const repeats = [1, 2, 3, 4, 8, 16];

/**
 * Returns strings that a pattern may match, for examples, built from its first alternatives; possibly none. The caller
 * checks them.
 */
export function samplesOf(pattern: string): readonly string[] {
  return repeats.flatMap((count) => {
    const text = sequence(pattern, count);
    return text === null ? [] : [text];
  });
}

/** Matches a part of a pattern (group, class, escape or character) and its quantifier. */
const part =
  /\((?:\?(?:P?<\w+>|[a-zA-Z]*:))?|\)|\||\[\^?\]?(?:\\.|\[:\w+:\]|[^\]])*\]|\\(?:[pP](?:\{\^?\w+\}|\w)|.)|\^|\$|[\s\S]/gu;
const times = /^(?:\{(\d+)(?:,\d*)?\}|[*+?])\??/;

function sequence(pattern: string, count: number): string | null {
  const stack: { text: string; isDone: boolean }[] = [];
  let level = { text: "", isDone: false };
  part.lastIndex = 0;
  for (let found = part.exec(pattern); found !== null; found = part.exec(pattern)) {
    const [word] = found;
    if (word === "|") level.isDone = true;
    if (["|", "^", "$", "\\b", "\\B", "\\A", "\\z"].includes(word)) continue;
    if (word.startsWith("(")) {
      stack.push(level);
      level = { text: "", isDone: false };
      continue;
    }
    const made = word === ")" ? level.text : character(word);
    if (word === ")") level = stack.pop() ?? level;
    if (made === null) return null;
    const rest = pattern.slice(part.lastIndex);
    const [written = "", least] = times.exec(rest) ?? [];
    part.lastIndex += written.length;
    const often = written === "" ? 1 : Math.max(least === undefined ? count : Number(least), 0);
    if (!level.isDone) level.text += made.repeat(written.startsWith("?") ? 1 : often);
  }
  return level.text;
}

/** Returns a character that a class, an escape or a literal matches; null if there is none. */
function character(word: string): string | null {
  if (word.length === 1 && word !== ".") return word;
  try {
    const own = new RegExp(`^${word}$`, "u");
    return (
      [word.slice(1), ...candidates].find((one) => [...one].length === 1 && own.test(one)) ?? null
    );
  } catch {
    return null;
  }
}
