import { type AccountRecords, noAccountRecords } from "../../auth/index.js";
import { type Dependant, holdFounders, inUse, type KeptFounder } from "../../resource/index.js";

/** Emitted: what deleting an account means for the records that are required to belong to it; `$1` is its id. */
export interface AccountDeletion {
  readonly delete: string;
  /** A `with` clause: the records that are deleted too; left out where there are none. */
  readonly deleted?: string;
  readonly dependants: readonly Dependant[];
  /** The memberships among those that are deleted; left out where there are none. */
  readonly memberships?: readonly AccountMemberships[];
}

/** Memberships of which each group keeps one with its founder's role. */
interface AccountMemberships {
  /** Their table as SQL. */
  readonly name: string;
  readonly founders: readonly KeptFounder[];
  /** SQL for the ids of those that are deleted, after `deleted`. */
  readonly ids: string;
}

/** What the routes of accounts need to know of records. */
export function accountRecordsOf(deletion: AccountDeletion | null): AccountRecords {
  if (deletion === null) return noAccountRecords;
  const { dependants, deleted = "", memberships = [] } = deletion;
  const held = { singular: "account", dependants, queries: deletion };
  const touched = memberships.map((one) => ({ ...one, deleted }));
  return {
    async delete(db, id) {
      const keepFounders = await holdFounders(db, touched, id);
      await db.query(deletion.delete, [id]);
      await keepFounders();
    },
    inUse: (db, id) => inUse(db, held, id),
  };
}
