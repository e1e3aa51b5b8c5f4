import { reasonOf } from "../../errors/index.js";
import { oneLine } from "../../values/text.js";

/**
 * What an error of PostgreSQL, or of the way to it, says, for people: on one line and cut, as it may quote a whole value
 * of a row.
 */
export function messageOf(error: unknown): string {
  return oneLine(reasonOf(error));
}
