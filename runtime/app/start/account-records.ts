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

/** The effect of deleting an account on records with a required link to it, as emitted; `$1` is the account's id. */
export interface AccountDeletion {
  readonly delete: string;
  /** A `with` clause that selects the other records to delete; omitted if there are none. */
  readonly deleted?: string;
  readonly dependants: readonly Dependant[];
  /** The deleted memberships; omitted if there are none. */
  readonly memberships?: readonly AccountMemberships[];
}

/** Memberships affected by a deletion; each group must keep one with its founder's role. */
interface AccountMemberships {
  /** The table of the memberships, quoted for SQL. */
  readonly name: string;
  readonly founders: readonly KeptFounder[];
  /** SQL that selects the ids of the deleted memberships, placed after `deleted`. */
  readonly ids: string;
}

/** Returns the queries on records that the routes of accounts need. */
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

/** Used if no resource links to accounts. Other tables of the app may still link to them. */
const withoutRecords: AccountDeletion = {
  delete: "delete from service.users where id = $1",
  dependants: [],
};
