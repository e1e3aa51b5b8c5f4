import type { Value } from "../query/links/values.js";
import type { Period } from "./period.js";

/** A value that the records of a group share. */
export interface Group extends Value {
  /** The period of a time or date; null groups by the value itself. */
  readonly unit: Period | null;
}
