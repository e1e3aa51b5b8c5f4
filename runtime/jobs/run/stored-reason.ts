import { reasonOf } from "../../errors/index.js";

/** Characters of an error that are stored. */
const maxLength = 500;

/** As PostgreSQL can store it: without U+0000 and halves of characters. */
export function storedReason(error: unknown): string {
  const text = reasonOf(error)
    .slice(0, 2 * maxLength)
    .replaceAll("\0", "")
    .toWellFormed();
  return [...text].slice(0, maxLength).join("");
}
