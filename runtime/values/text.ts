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
