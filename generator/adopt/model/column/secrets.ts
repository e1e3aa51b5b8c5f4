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

/** Whether the name says that the values are secrets; keys and links never are. */
export function isSecret(column: string): boolean {
  return wordsOf(column).some((word) => secretWords.has(word));
}
