/** True for text that PostgreSQL can hold as it is: no NUL, no lone surrogate. */
export function isUnicode(value: string): boolean {
  return !value.includes("\0") && value.isWellFormed();
}
