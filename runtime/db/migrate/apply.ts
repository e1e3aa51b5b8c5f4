import pg from "pg";
import type { Queryable } from "../database.js";
import { MigrationError } from "./error.js";
import type { MigrationFile } from "./files.js";
import { addToLedger } from "./ledger.js";

/**
 * Runs the file and notes it in the ledger, both or neither.
 *
 * @throws {MigrationError} with the file and line that PostgreSQL refused.
 */
export async function applyMigration(db: Queryable, file: MigrationFile): Promise<void> {
  try {
    await db.query("begin");
    // Otherwise a role called `service` would make the app's tables in the schema of that name.
    await db.query("set local search_path to public");
    await db.query("set local statement_timeout to 0");
    await addToLedger(db, file);
    await db.query(file.sql);
    await db.query("commit");
    // A dump sets the search path and more for its session; the next file starts afresh.
    await db.query("reset all");
  } catch (error) {
    // A lost connection cannot roll back, and need not.
    await db.query("rollback").catch(() => {});
    throw refusal(file, error);
  }
}

function refusal(file: MigrationFile, error: unknown): MigrationError {
  const message = error instanceof Error ? error.message : String(error);
  const detail = error instanceof pg.DatabaseError ? error.detail : undefined;
  return new MigrationError(
    `${file.path}${lineOf(file, error)}: ${message}${detail === undefined ? "" : ` (${detail})`}`,
    "Nothing of this file was applied; the files before it were. Mend it and run migrate again",
    { cause: error },
  );
}

/** `:<line>` where PostgreSQL tells the position, counted in characters from 1; it does not for all errors. */
function lineOf(file: MigrationFile, error: unknown): string {
  if (!(error instanceof pg.DatabaseError) || error.position === undefined) return "";
  const before = [...file.sql].slice(0, Number(error.position) - 1);
  return `:${before.filter((character) => character === "\n").length + 1}`;
}
