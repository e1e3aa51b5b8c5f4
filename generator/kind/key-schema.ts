import type { ValueSchema } from "./kind.js";

/** The schema of a storage key, which only an upload gives. */
export function keySchema(): ValueSchema {
  return { shown: { type: "string" }, rules: { minLength: 1, maxLength: 1000 }, example: null };
}
