import { reasonOf } from "../../errors/index.js";
import { oneLine } from "../../values/text.js";

/**
 * The message of an error from PostgreSQL, or from connecting, for people: on one line and cut, since it may quote
 * whole values.
 */
export function messageOf(error: unknown): string {
  return oneLine(reasonOf(error));
}
