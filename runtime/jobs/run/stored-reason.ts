import { reasonOf } from "../../errors/index.js";

/** The maximum length of a stored error, in characters. */
const maxLength = 500;

/** Returns an error's message in a form that PostgreSQL can store: without U+0000 and unpaired surrogates. */
export function storedReason(error: unknown): string {
  const text = reasonOf(error)
    .slice(0, 2 * maxLength)
    .replaceAll("\0", "")
    .toWellFormed();
  return [...text].slice(0, maxLength).join("");
}
