import { type AccountRecords, noAccountRecords } from "../../auth/index.js";
import { type Dependant, inUse } from "../../resource/index.js";

/** Emitted: what deleting an account means for the records that are required to belong to it; `$1` is its id. */
export interface AccountDeletion {
  readonly delete: string;
  /** A `with` clause: the records that are deleted too; left out where there are none. */
  readonly deleted?: string;
  readonly dependants: readonly Dependant[];
}

/** What the routes of accounts need to know of records. */
export function accountRecordsOf(deletion: AccountDeletion | null): AccountRecords {
  if (deletion === null) return noAccountRecords;
  const { dependants } = deletion;
  const held = { singular: "account", dependants, queries: deletion };
  return { delete: deletion.delete, inUse: (db, id) => inUse(db, held, id) };
}
