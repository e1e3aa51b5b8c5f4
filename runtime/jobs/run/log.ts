import { reasonOf } from "../../errors/index.js";

/** The part of pino's logger that jobs use. */
export interface JobLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

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
