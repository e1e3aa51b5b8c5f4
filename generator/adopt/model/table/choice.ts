import type { Remark } from "../adoption.js";

/** The options of the command line for a table. */
export interface TableChoice {
  /** The column to use as the key; null for the table's own key. */
  readonly key: string | null;
  /** Whether that column has duplicate or null values, if the table is a view. */
  readonly isRepeating: boolean;
  /** Whether triggers may be added to the table. */
  readonly mayHaveTriggers: boolean;
}

/** Why a table is not adopted. */
export type Refusal = Omit<Remark, "column" | "taken">;
