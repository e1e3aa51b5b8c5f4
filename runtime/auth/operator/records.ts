import type { Queryable } from "../../db/index.js";
import type { Log } from "../../own-code/index.js";

/** The effects of an account's deletion on the records of resources. */
export interface AccountRecords {
  /**
   * Deletes the account and its dependent records. Refuses with 409 if a group would lose its last founder, and fails
   * with a foreign key violation if records are required to belong to it.
   */
  delete(db: Queryable, id: string): Promise<void>;
  /**
   * Explains why PostgreSQL refused a deletion: refuses with the number of records that prevent it, or with the message
   * of a constraint or trigger. Rethrows any other error.
   */
  explain(error: unknown, deletion: RefusedDeletion): Promise<never>;
}

export interface RefusedDeletion {
  readonly db: Queryable;
  readonly log: Pick<Log, "warn">;
  readonly id: string;
}

export interface AccountParts {
  readonly records: AccountRecords;
  /** Called when an account is deleted, to remove its pictures from the storage. */
  onDeleted(): void;
}

/** For a server without resources. */
export const noAccountRecords: AccountRecords = {
  async delete(db, id) {
    await db.query("delete from service.users where id = $1", [id]);
  },
  explain: async (error) => {
    throw error;
  },
};
