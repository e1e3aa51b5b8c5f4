/** True for text that PostgreSQL can store unchanged: no NUL, no lone surrogate. */
export function isUnicode(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** `a, b and c` */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** The most words of a list that a message shows. */
const maxShown = 20;

/** `a, b and c`; a list of more than 20 ends in the number of the others: `… and 5 more`. */
export function listWordsBriefly(words: readonly string[]): string {
  if (words.length <= maxShown) return listWords(words);
  return listWords([...words.slice(0, maxShown), `${words.length - maxShown} more`]);
}

/** Code points of a text of another program that a message quotes. */
const maxQuoted = 500;

/**
 * A text of another program, for a message: one line without control characters, which would change the terminal, and
 * cut where it is long.
 */
export function oneLine(text: string): string {
  // Four times as much is enough for all that is removed or joined, and bounds the work on a very long text.
  const line = text
    .slice(0, maxQuoted * 4)
    .replaceAll(/\p{Bidi_Control}/gu, "")
    .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .toWellFormed()
    .trim();
  const shown = [...line].slice(0, maxQuoted).join("");
  return shown === line && text.length <= maxQuoted * 4 ? line : `${shown}…`;
}
