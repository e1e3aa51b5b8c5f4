import pg from "pg";
import { isConnectionLost, isWriteRefused, sqlState } from "../sqlstate.js";
import { LockNotHad, MigrationError } from "./error.js";
import type { MigrationFile } from "./files.js";
import { hasSql, type Part } from "./steps.js";

/** What PostgreSQL refused, and where in the file. */
export interface Refused {
  readonly file: MigrationFile;
  readonly part: Part;
  /** Characters that were put before the part's own text. */
  readonly prefix?: number;
  /** Whether something of the file is applied, and stays so. */
  readonly begun: boolean;
}

/** Words what a step failed by; what is worded already stays as it is. */
export function refusalOf(refused: Refused, error: unknown): MigrationError {
  if (error instanceof MigrationError) return error;
  const message = error instanceof Error ? error.message : String(error);
  const detail = error instanceof pg.DatabaseError ? error.detail : undefined;
  return new MigrationError(
    `${placeOf(refused.file, lineOf(refused, error))}: ${message}${detail === undefined ? "" : ` (${detail})`}`,
    hintOf(refused, error),
    { cause: error },
  );
}

/** As every message names a line of a migration. */
export function placeOf(file: MigrationFile, line: number): string {
  return `${file.path}:${line}`;
}

/** The first line that holds SQL. */
export function firstLine({ line, sql }: Part): number {
  const lines = sql.split("\n");
  return line + Math.max(0, lines.findIndex(hasSql));
}

/** Where PostgreSQL tells a position, counted in characters from 1; it does not for all errors. */
function lineOf({ part, prefix = 0 }: Refused, error: unknown): number {
  if (!(error instanceof pg.DatabaseError) || error.position === undefined) return firstLine(part);
  const before = [...part.sql].slice(0, Math.max(0, Number(error.position) - 1 - prefix));
  return part.line + before.filter((character) => character === "\n").length;
}

function hintOf({ begun }: Refused, error: unknown): string {
  if (isConnectionLost(error)) {
    return "The connection was lost. Run migrate again: it goes on where it was cut off";
  }
  if (error instanceof LockNotHad) {
    return "Run migrate again when that transaction has ended: it goes on from here";
  }
  if (isWriteRefused(error)) return readOnlyHint;
  if (sqlState(error) === "42501") return rightsHint;
  return begun
    ? "The steps before it are applied and stay so. Mend this one and run migrate again: it goes on from here"
    : "Nothing of this file was applied; the files before it were. Mend it and run migrate again";
}

/** For a database in which nothing can be written. */
export const readOnlyHint =
  "This is a replica, or was made read-only: DATABASE_URL must lead to the database that takes writes";

/** For a role that may not do what a migration does. */
export const rightsHint =
  "The role in DATABASE_URL must own the tables that are changed, and have the right to create in the database and in its schema public";
