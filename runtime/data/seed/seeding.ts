import type { ResourceDefinition, RowsUnit } from "../../resource/index.js";
import type { Problem } from "../../values/problem.js";
import type { SeedStorage } from "./files.js";
import type { Waits } from "./ready.js";
import type { SeedCounts } from "./request.js";

/** The outcome of a record; `waits` if its link matches no record of that resource yet. */
export type SeedOutcome =
  | { readonly stored: keyof SeedCounts }
  | { readonly problems: readonly Problem[] }
  | Waits;

/** The context in which records are stored. */
export interface SeederOptions {
  readonly unit: RowsUnit;
  readonly definitions: readonly ResourceDefinition[];
  readonly storage: SeedStorage;
  /** The time that `-12d` is relative to. */
  readonly now: Date;
}
