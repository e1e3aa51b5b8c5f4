import type { Value } from "../query/links/values.js";
import type { Period } from "./period.js";

/** What a group is formed by: a value that its records share. */
export interface Group extends Value {
  /** The part of a time or date; null groups by the value itself. */
  readonly unit: Period | null;
}
