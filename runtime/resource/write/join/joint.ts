import type { Precondition } from "../../../http/index.js";
import type { Values } from "../../table/conflicts.js";
import type { Change, Create, Written } from "../operation.js";
import type { WriteEvent } from "./own-triggers.js";

/** A statement that stores writes of one kind: new records of a table, or changes of the same fields of its records. */
export interface Joint {
  /** Names it among those of its table. */
  readonly name: string;
  readonly event: WriteEvent;
  /** The same for any number of writes. */
  readonly text: string;
  /** `lockMs` limits how many milliseconds it waits for a lock. */
  parameters(sent: readonly Sent[], lockMs?: number): readonly unknown[];
  /** What has become of the writes, in their order. */
  outcomes(sent: readonly Sent[], rows: readonly JointRow[]): readonly Outcome[];
}

/** One write. */
export interface Sent {
  readonly id: string;
  readonly values: Values;
  readonly ifMatch: Precondition;
}

/** A row that the statement returns: a stored record, or a change that was not stored. */
export interface JointRow {
  readonly id: string;
  readonly json: string | null;
  readonly version: string | null;
  readonly locked?: boolean;
}

/** `refused`: it was left out, for a reason that a statement of its own finds; `locked`: somebody else has the record. */
export type Outcome = Written | "refused" | "locked";

export function sentBy(write: Create | Change): Sent {
  const ifMatch = write.kind === "create" ? null : write.ifMatch;
  // As PostgreSQL writes ids.
  return { id: write.id.toLowerCase(), values: { ...write.checked.values }, ifMatch };
}

/** SQL that limits how long the statement waits for locks; a parameter that is null leaves the session's limit. */
export function lockLimitSql(parameter: string): string {
  return `select set_config('lock_timeout', coalesce(${parameter}, current_setting('lock_timeout')), true)`;
}

export function lockLimit(lockMs: number | undefined): string | null {
  return lockMs === undefined ? null : `${lockMs}ms`;
}
