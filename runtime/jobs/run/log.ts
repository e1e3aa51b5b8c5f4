/** The part of pino's logger that jobs use. */
export interface JobLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** An error's message, for the log and for operators. */
export function reasonOf(error: unknown): string {
  return textOf(() => (error instanceof Error ? error.message || error.name : error));
}

/** What is thrown need not be an error, nor have a text; an error's message may be anything. */
function textOf(thrown: () => unknown): string {
  try {
    return String(thrown());
  } catch {
    return "Something was thrown that has no text";
  }
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
