import type { Precondition } from "../../http/index.js";
import type { StoredRecord } from "../record/tag.js";
import type { CheckedBody } from "../table/body.js";
import type { Table } from "../table/table.js";

/** One write to one record, with its body checked but not yet refused. */
export type Write = Create | Change | Delete;

export interface Create {
  readonly kind: "create";
  readonly table: Table<never>;
  /** The id that the record will have. */
  readonly id: string;
  readonly checked: CheckedBody<object>;
}

/** `update` stores the values that were sent, `replace` all. */
export interface Change {
  readonly kind: "update" | "replace";
  readonly table: Table<never>;
  readonly id: string;
  readonly ifMatch: Precondition;
  readonly checked: CheckedBody<object>;
}

export interface Delete {
  readonly kind: "delete";
  readonly table: Table<never>;
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
