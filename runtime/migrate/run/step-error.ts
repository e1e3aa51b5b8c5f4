import pg from "pg";
import { isConnectionLost, isWriteRefused, readOnlyHint, sqlState } from "../../db/index.js";
import { LockTimeout, MigrationError } from "../error.js";
import type { MigrationFile } from "../files/files.js";
import type { ScriptPart } from "../files/script.js";
import { findStatements } from "../files/statements.js";
import type { Direction, Task } from "../history/steps.js";
import { failedStatement } from "../session/connect.js";

/** What PostgreSQL refused, and where in the file. */
export interface FailedStep extends Task {
  readonly part: ScriptPart;
  /** Whether something of the file may be done, and stays so. */
  readonly begun: boolean;
}

/** Words what a step failed by; what is worded already stays as it is. */
export function stepError(refused: FailedStep, error: unknown): MigrationError {
  if (error instanceof MigrationError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new MigrationError(
    `${lineReference(refused.file, lineOf(refused, error))}: ${message}${detailOf(error)}`,
    hintOf(refused, error),
    { cause: error },
  );
}

/** What PostgreSQL adds, but of values (22…) and constraints (23…): that shows what a row holds. */
function detailOf(error: unknown): string {
  const detail = error instanceof pg.DatabaseError ? error.detail : undefined;
  return detail === undefined || /^2[23]/.test(sqlState(error) ?? "") ? "" : ` (${detail})`;
}

/** As every message names a line of a migration. */
export function lineReference(file: MigrationFile, line: number): string {
  return `${file.path}:${line}`;
}

/** The first line that holds SQL, or that of a later statement. */
export function firstLine({ line, sql }: ScriptPart, statement = 0): number {
  const found = findStatements(sql);
  return line + (found[statement]?.line ?? found[0]?.line ?? 0);
}

/**
 * Where PostgreSQL tells a position, counted in characters from 1; else where the statement begins. An
 * error of a statement that is not the file's is the whole part's.
 */
function lineOf({ part }: FailedStep, error: unknown): number {
  const failure = failedStatement(error);
  const start = failure?.text.indexOf(part.sql) ?? -1;
  if (failure === null || start === -1) return firstLine(part);
  if (!(error instanceof pg.DatabaseError) || error.position === undefined) {
    return firstLine(part, failure.done);
  }
  const before = [...part.sql].slice(0, Math.max(0, Number(error.position) - 1 - start));
  return part.line + before.filter((character) => character === "\n").length;
}

function hintOf({ direction, begun }: FailedStep, error: unknown): string {
  const { command, nothing, others } = phrases[direction];
  if (isConnectionLost(error)) {
    return `the connection was lost: run ${command} again, it goes on where it was cut off`;
  }
  if (error instanceof LockTimeout) {
    return `run ${command} again when that transaction has ended: it goes on from here`;
  }
  if (isWriteRefused(error)) return readOnlyHint;
  if (sqlState(error) === "42501") return privilegesHint;
  return begun
    ? `what is done of this file stays; fix this step and run ${command} again: it goes on from here`
    : `${nothing}, but ${others}; fix it and run ${command} again`;
}

/** How hints speak of a file that is applied, or undone. */
export const phrases: Readonly<
  Record<
    Direction,
    {
      /** What goes on with it. */
      readonly command: string;
      /** Where it was refused before anything of it was done. */
      readonly nothing: string;
      /** What the same run had done before. */
      readonly others: string;
    }
  >
> = {
  up: {
    command: "npx service migrate",
    nothing: "nothing of this file was applied",
    others: "the files before it were",
  },
  down: {
    command: "npx service migrate --down",
    nothing: "nothing of this migration was undone",
    others: "those applied after it were",
  },
};

/** For a role that may not do what a migration does. */
const privilegesHint =
  "the role in DATABASE_URL must own the tables that are changed, and have the right to create in the database and in its schema public";
