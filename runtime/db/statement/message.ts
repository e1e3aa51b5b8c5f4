import { reasonOf } from "../../errors/index.js";
import { oneLine } from "../../values/text.js";

/**
 * Returns the message of an error from PostgreSQL, or from connecting, for people. It is one line, and truncated
 * because it may quote whole values.
 */
export function messageOf(error: unknown): string {
  return oneLine(reasonOf(error));
}
