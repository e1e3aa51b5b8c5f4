import type { Queryable } from "../../db/index.js";

/** What the deletion of an account means for the records of resources. */
export interface AccountRecords {
  /**
   * Deletes the account, and the records that are deleted with it. Refuses with 409 where a group would lose its last
   * founder, and fails with a foreign key violation where records are required to belong to it.
   */
  delete(db: Queryable, id: string): Promise<void>;
  /** A sentence that says which records refuse it, and how many. */
  inUse(db: Queryable, id: string): Promise<string>;
}

/** Where no resource has a required link to accounts. */
export const noAccountRecords: AccountRecords = {
  async delete(db, id) {
    await db.query("delete from service.users where id = $1", [id]);
  },
  inUse: async () => "Other records still belong to this account",
};
