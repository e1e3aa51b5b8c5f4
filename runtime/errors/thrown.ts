/**
 * Returns the message of a thrown value, which may not be an error and may have no message. Node combines several
 * failed addresses into one error without a message.
 */
export function reasonOf(thrown: unknown): string {
  try {
    if (thrown instanceof AggregateError && thrown.message === "") {
      return thrown.errors.map(reasonOf).join(", ") || thrown.name;
    }
    return String(thrown instanceof Error ? thrown.message || thrown.name : thrown);
  } catch {
    return "A value without a text was thrown";
  }
}

/** Converts a thrown value to an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(reasonOf(thrown));
}
