import type { Precondition } from "../../http/index.js";
import type { StoredRecord } from "../record/tag.js";
import type { View } from "../rights/view.js";
import type { WriteView } from "../rights/writable.js";
import type { CheckedBody } from "../table/body.js";
import type { Table } from "../table/table.js";

/** One write to one record. Its body is validated; its mistakes, if any, are not reported yet. */
export type Write = Create | Change | Delete | Restore;

/** The target of a write, and its author. */
export interface Target {
  readonly table: Table<never>;
  /** The table as the caller may write it. */
  readonly view: WriteView;
  /** The caller's account; null if no rules apply. */
  readonly account: string | null;
}

export interface Create extends Target {
  readonly kind: "create";
  /** The id that the record will have; null if the database makes it. */
  readonly id: string | null;
  readonly checked: CheckedBody<object>;
  /** Whether a deleted record is restored from its history, which several callers may do at once. */
  readonly isReverted?: true;
  /** Values of the record itself that an import sets; left out for any other write. */
  readonly given?: GivenOfFile;
}

/** Values of a record that an import file may set. */
export interface GivenOfFile {
  /** Whether its id comes from the file, and so may be taken. */
  readonly hasId: boolean;
  /** Null for the time of storing. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

/** `update` stores the values that were sent, `replace` all. */
export interface Change extends Target {
  readonly kind: "update" | "replace";
  readonly id: string;
  readonly ifMatch: Precondition;
  readonly checked: CheckedBody<object>;
  /** Whether the values, and their private files, are from the record's own history. */
  readonly isReverted?: true;
}

export interface Delete extends Target {
  readonly kind: "delete";
  readonly id: string;
  readonly ifMatch: Precondition;
  /** The records in the trash that the caller may delete permanently; left out if the delete keeps them. */
  readonly trashed?: View;
}

/** Restores a record from the trash, with all that was deleted with it. */
export interface Restore extends Target {
  readonly kind: "restore";
  readonly id: string;
  /** The records in the trash that the caller may restore. */
  readonly trashed: View;
}

/** Whether the record is kept in the trash. */
export function isTrashed({ table, trashed }: Pick<Delete, "table" | "trashed">): boolean {
  return table.trash !== undefined && trashed === undefined;
}

/** The row that an insert returns: an app trigger may have changed the record's id. */
export type InsertedRow = StoredRecord & { readonly id: string };

export interface Written {
  /** The id under which the record is or was stored. */
  readonly id: string;
  /** Null after a delete. */
  readonly record: StoredRecord | null;
}

/** The id of the record whose current values are not conflicts; null for a new record. */
export function storedIdOf(write: Create | Change): string | null {
  return write.kind === "create" && write.isReverted !== true ? null : write.id;
}
