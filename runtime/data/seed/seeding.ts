import type { ResourceDefinition, RowsUnit } from "../../resource/index.js";
import type { Problem } from "../../values/problem.js";
import type { SeedStorage } from "./files.js";
import type { Waits } from "./ready.js";
import type { SeedCounts } from "./request.js";

/** The outcome of a record; `waits`: its link finds no record of that resource yet. */
export type SeedOutcome =
  | { readonly stored: keyof SeedCounts }
  | { readonly problems: readonly Problem[] }
  | Waits;

/** What records are stored with. */
export interface SeederOptions {
  readonly unit: RowsUnit;
  readonly definitions: readonly ResourceDefinition[];
  readonly storage: SeedStorage;
  /** The time from which `-12d` counts. */
  readonly now: Date;
}
