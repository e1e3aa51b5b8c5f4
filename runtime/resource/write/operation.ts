import type { Precondition } from "../../http/index.js";
import type { StoredRecord } from "../record/tag.js";
import type { View } from "../rights/view.js";
import type { WriteView } from "../rights/writable.js";
import type { CheckedBody } from "../table/body.js";
import type { Table } from "../table/table.js";

/** One write to one record. Its body has been validated; issues found are reported later. */
export type Write = Create | Change | Delete | Restore;

export interface Target {
  readonly table: Table<never>;
  /** The view through which the caller may write to the table. */
  readonly view: WriteView;
  /** The caller's account; null if no rules apply. */
  readonly account: string | null;
}

export interface Create extends Target {
  readonly kind: "create";
  /** The id of the new record; null if the database generates it. */
  readonly id: string | null;
  readonly checked: CheckedBody<object>;
  /** Whether the create restores a deleted record from its history, which several callers may do concurrently. */
  readonly isReverted?: true;
  /** Record properties that an import sets; left out for other writes. */
  readonly given?: GivenOfFile;
}

/** Record properties that an import file may set. */
export interface GivenOfFile {
  /** Whether the id comes from the file, so that another record may have it. */
  readonly hasId: boolean;
  /** Null for the time of the insert. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

/** `update` stores the values in the body, `replace` all. */
export interface Change extends Target {
  readonly kind: "update" | "replace";
  readonly id: string;
  readonly ifMatch: Precondition;
  readonly checked: CheckedBody<object>;
  /** Whether the values come from the record's own history, including private files. */
  readonly isReverted?: true;
}

export interface Delete extends Target {
  readonly kind: "delete";
  readonly id: string;
  readonly ifMatch: Precondition;
  /**
   * The records in the trash that the caller may delete permanently; left out if the delete only moves records to the
   * trash.
   */
  readonly trashed?: View;
}

/** Restores a record from the trash, with everything that was deleted with it. */
export interface Restore extends Target {
  readonly kind: "restore";
  readonly id: string;
  /** The records in the trash that the caller may restore. */
  readonly trashed: View;
}

/** Whether the delete moves the record to the trash. */
export function isTrashed({ table, trashed }: Pick<Delete, "table" | "trashed">): boolean {
  return table.trash !== undefined && trashed === undefined;
}

/** The row that an insert returns. Its id may differ from the one sent, because of an app trigger. */
export type InsertedRow = StoredRecord & { readonly id: string };

export interface Written {
  /** The id of the stored or deleted record. */
  readonly id: string;
  /** Null after a delete. */
  readonly record: StoredRecord | null;
}

/** The id of the stored record, whose own values are not conflicts; null for a create. */
export function storedIdOf(write: Create | Change): string | null {
  return write.kind === "create" && write.isReverted !== true ? null : write.id;
}
