import type { AccountRecords } from "../../auth/index.js";
import { foreignKeyViolation, tableRefusal } from "../../db/index.js";
import { refuse } from "../../errors/index.js";
import {
  type Dependant,
  holdFounders,
  inUse,
  type KeptFounder,
  refuseByTable,
} from "../../resource/index.js";

/** Emitted: what deleting an account means for records with a required link to it; `$1` is its id. */
export interface AccountDeletion {
  readonly delete: string;
  /** A `with` clause that selects the other records to delete; left out if there are none. */
  readonly deleted?: string;
  readonly dependants: readonly Dependant[];
  /** The deleted memberships; left out if there are none. */
  readonly memberships?: readonly AccountMemberships[];
}

/** The memberships that a deletion touches; each group must keep one with its founder's role. */
interface AccountMemberships {
  /** The table of the memberships as SQL. */
  readonly name: string;
  readonly founders: readonly KeptFounder[];
  /** SQL that selects the ids of the deleted memberships, placed after `deleted`. */
  readonly ids: string;
}

/** Returns what the routes of accounts need to know about records. */
export function accountRecordsOf(found: AccountDeletion | null): AccountRecords {
  const deletion = found ?? withoutRecords;
  const { dependants, deleted = "", memberships = [] } = deletion;
  const held = { name: "service.users", singular: "account", dependants, queries: deletion };
  const touched = memberships.map((one) => ({ ...one, deleted }));
  return {
    async delete(db, id) {
      const keepFounders = await holdFounders(db, touched, id);
      await db.query(deletion.delete, [id]);
      await keepFounders();
    },
    async explain(error, { db, log, id }) {
      const link = tableRefusal(error)?.kind === "link" ? foreignKeyViolation(error) : null;
      if (link === null) return refuseByTable(error, { db, log, tables: [] });
      return refuse("IN_USE", { error: await inUse(db, held, { id, link }) });
    },
  };
}

/** Used if no resource links to accounts; other tables of the app may link to them. */
const withoutRecords: AccountDeletion = {
  delete: "delete from service.users where id = $1",
  dependants: [],
};
