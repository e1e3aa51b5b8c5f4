import type { Precondition } from "../../http/index.js";
import type { StoredRecord } from "../record/tag.js";
import type { WriteView } from "../rights/writable.js";
import type { CheckedBody } from "../table/body.js";
import type { Table } from "../table/table.js";

/** One write to one record, with its body checked but not yet refused. */
export type Write = Create | Change | Delete;

/** Where a write stores, and as whom. */
export interface Target {
  readonly table: Table<never>;
  /** The table as the caller may write it. */
  readonly view: WriteView;
  /** The caller's account; null where no rules apply. */
  readonly account: string | null;
}

export interface Create extends Target {
  readonly kind: "create";
  /** The id that the record will have. */
  readonly id: string;
  readonly checked: CheckedBody<object>;
  /** Whether a deleted record is created again from its history: several callers may do that at once. */
  readonly isReverted?: true;
  /** What a file says of the record itself; left out for any other. */
  readonly given?: GivenOfFile;
}

/** What is stored of a record of a file as the file has it. */
export interface GivenOfFile {
  /** Whether its id comes from the file, and so may be taken. */
  readonly hasId: boolean;
  /** Null: when it is stored. */
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

/** `update` stores the values that were sent, `replace` all. */
export interface Change extends Target {
  readonly kind: "update" | "replace";
  readonly id: string;
  readonly ifMatch: Precondition;
  readonly checked: CheckedBody<object>;
  /** Whether the values are those of the record's own history: then its private files are too. */
  readonly isReverted?: true;
}

export interface Delete extends Target {
  readonly kind: "delete";
  readonly id: string;
  readonly ifMatch: Precondition;
}

/** What an insert answers: a trigger of the app's own may have given the record another id than the one sent. */
export type InsertedRow = StoredRecord & { readonly id: string };

/** The result of a write. */
export interface Written {
  /** The id under which the record is stored, or was. */
  readonly id: string;
  /** Null after a delete. */
  readonly record: StoredRecord | null;
}

/** The id of the record whose own values are no conflicts; null for a record that is new. */
export function storedIdOf(write: Create | Change): string | null {
  return write.kind === "create" && write.isReverted !== true ? null : write.id;
}
