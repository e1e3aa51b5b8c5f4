import type { Precondition } from "../../../http/index.js";
import type { Actor } from "../../../own-code/index.js";
import { writerBy, writerSet } from "../../rights/writer.js";
import { idFormOf } from "../../table/column-keys.js";
import type { Values } from "../../table/conflicts.js";
import type { Change, Create, Written } from "../operation.js";
import type { WriteEvent } from "./app-triggers.js";

/** A statement that stores writes of one kind: new records of a table, or changes of the same fields of its records. */
export interface Joint {
  /** Unique within its table. */
  readonly name: string;
  readonly event: WriteEvent;
  /** The SQL, which is the same for any number of writes. */
  readonly text: string;
  /** `lockMs`: milliseconds that the statement waits for a lock. */
  parameters(sent: readonly Sent[], lockMs?: number): readonly unknown[];
  /** The outcomes of the writes, in the same order. */
  outcomes(sent: readonly Sent[], rows: readonly JointRow[]): readonly Outcome[];
}

export interface Sent {
  readonly id: string;
  readonly values: Values;
  readonly ifMatch: Precondition;
  /** The author of the write, from `writerOf`. */
  readonly writer: string | null;
}

/** A row that the statement returns: a stored record, or a change that was not stored. */
export interface JointRow {
  readonly id: string;
  readonly json: string | null;
  readonly version: string | null;
  readonly locked?: boolean;
}

/**
 * `refused`: not stored for a reason that a separate statement finds. `locked`: another transaction has locked the
 * record.
 */
export type Outcome = Written | "refused" | "locked";

export function sentBy(actor: Actor, write: Create | Change): Sent {
  const ifMatch = write.kind === "create" ? null : write.ifMatch;
  // The id as PostgreSQL returns it.
  return {
    id: write.id === null ? "" : idFormOf(write.table).usual(write.id),
    values: { ...write.checked.values },
    ifMatch,
    writer: writerBy(actor, write),
  };
}

/**
 * SQL that sets the lock timeout (null keeps the session's) and, if changes are logged, the author before the statement
 * runs.
 */
export function settingsSql(lockMs: string, writer: string | null): string {
  const lock = `set_config('lock_timeout', coalesce(${lockMs}, current_setting('lock_timeout')), true)`;
  return writer === null ? `select ${lock}` : `select ${lock}, ${writerSet(writer)}`;
}

export function lockLimit(lockMs: number | undefined): string | null {
  return lockMs === undefined ? null : `${lockMs}ms`;
}
