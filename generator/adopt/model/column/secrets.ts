import { wordsOf } from "../../names.js";

const secretWords: ReadonlySet<string> = new Set([
  "pass",
  "password",
  "passwd",
  "secret",
  "token",
  "hash",
  "digest",
  "salt",
]);

/** Whether the name suggests that the values are secrets. Not called for keys and links, which never are. */
export function isSecret(column: string): boolean {
  return wordsOf(column).some((word) => secretWords.has(word));
}
