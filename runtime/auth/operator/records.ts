import type { Queryable } from "../../db/index.js";
import type { Log } from "../../own-code/index.js";

/** What the deletion of an account means for the records of resources. */
export interface AccountRecords {
  /**
   * Deletes the account, and the records that are deleted with it. Refuses with 409 where a group would lose its last
   * founder, and fails with a foreign key violation where records are required to belong to it.
   */
  delete(db: Queryable, id: string): Promise<void>;
  /**
   * Refuses a deletion that PostgreSQL has refused: says which records prevent it, and how many, or what a constraint or
   * trigger of a table refuses. Any other error is rethrown.
   */
  explain(error: unknown, deletion: RefusedDeletion): Promise<never>;
}

export interface RefusedDeletion {
  readonly db: Queryable;
  readonly log: Pick<Log, "warn">;
  /** Of the account. */
  readonly id: string;
}

/** What the routes need from other modules. */
export interface AccountParts {
  readonly records: AccountRecords;
  /** Called when an account is deleted, whose pictures are then to be removed from the storage. */
  onDeleted(): void;
}

/** Of a server without resources. */
export const noAccountRecords: AccountRecords = {
  async delete(db, id) {
    await db.query("delete from service.users where id = $1", [id]);
  },
  explain: async (error) => {
    throw error;
  },
};
