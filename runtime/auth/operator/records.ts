import type { Queryable } from "../../db/index.js";

/** What the deletion of an account means for the records of resources. */
export interface AccountRecords {
  /** SQL that deletes the account `$1`, and the records that are deleted with it. */
  readonly delete: string;
  /** A sentence that says which records refuse it, and how many. */
  inUse(db: Queryable, id: string): Promise<string>;
}

/** Where no resource has a required link to accounts. */
export const noAccountRecords: AccountRecords = {
  delete: "delete from service.users where id = $1",
  inUse: async () => "Other records still belong to this account",
};
