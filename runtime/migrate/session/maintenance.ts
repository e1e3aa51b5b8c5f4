import { messageOf, type Queryable, sqlState } from "../../db/index.js";
import { MigrationError } from "../error.js";
import { withConnection } from "./connect.js";

/**
 * Runs the work on one connection without a time limit. The operator must fix any error of PostgreSQL, such as a
 * missing privilege, a manually dropped table or a lock.
 *
 * @throws {MigrationError} if PostgreSQL refuses the work or cannot be reached.
 */
export async function withMaintenanceConnection<T>(
  url: string,
  work: (db: Queryable) => Promise<T>,
): Promise<T> {
  try {
    return await withConnection({ url }, async (db) => {
      await db.query("set statement_timeout to 0");
      return work(db);
    });
  } catch (error) {
    if (sqlState(error) === null) throw error;
    throw new MigrationError(
      `PostgreSQL refuses: ${messageOf(error)}`,
      "fix that, or run the command as a role with the required privilege",
      { cause: error },
    );
  }
}
