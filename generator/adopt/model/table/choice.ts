import type { Remark } from "../adoption.js";

/** What the command line says about a table. */
export interface TableChoice {
  /** The column that is to be the key; null for the table's own. */
  readonly key: string | null;
  /** Whether values of that column repeat, or are missing, in a view. */
  readonly isRepeating: boolean;
  /** Whether triggers may be added. */
  readonly mayHaveTriggers: boolean;
}

/** Why a table is not taken. */
export type Refusal = Omit<Remark, "column" | "taken">;
