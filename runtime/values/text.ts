/** True for text that PostgreSQL can hold as it is: no NUL, no lone surrogate. */
export function isUnicode(text: string): boolean {
  return !text.includes("\0") && text.isWellFormed();
}

/** `a, b and c` */
export function listWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}
