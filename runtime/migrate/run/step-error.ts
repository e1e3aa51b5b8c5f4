import pg from "pg";
import {
  isConnectionLost,
  isWriteRefused,
  messageOf,
  readOnlyHint,
  sqlState,
} from "../../db/index.js";
import { oneLine } from "../../values/text.js";
import { LockTimeout, MigrationError } from "../error.js";
import type { MigrationFile } from "../files/files.js";
import type { ScriptPart } from "../files/script.js";
import { findStatements } from "../files/statements.js";
import type { Direction, Task } from "../history/steps.js";
import { failedStatement } from "../session/connect.js";

/** A part of a file that PostgreSQL refused. */
export interface FailedStep extends Task {
  readonly part: ScriptPart;
  /** Whether parts of the file may already be done, and remain so. */
  readonly begun: boolean;
}

/** Returns the error for a failed step; returns a `MigrationError` unchanged. */
export function stepError(refused: FailedStep, error: unknown): MigrationError {
  if (error instanceof MigrationError) return error;
  return new MigrationError(
    `${lineReference(refused.file, lineOf(refused, error))}: ${messageOf(error)}${detailOf(error)}`,
    hintOf(refused, error),
    { cause: error },
  );
}

/** Returns PostgreSQL's detail, unless it reveals a row's content: errors of values (22…) and constraints (23…). */
function detailOf(error: unknown): string {
  const detail = error instanceof pg.DatabaseError ? error.detail : undefined;
  return detail === undefined || /^2[23]/.test(sqlState(error) ?? "")
    ? ""
    : ` (${oneLine(detail)})`;
}

/** Returns the reference to a line of a migration, for messages. */
export function lineReference(file: MigrationFile, line: number): string {
  return `${file.path}:${line}`;
}

/** Returns the first line with SQL, or the line of a later statement. */
export function firstLine({ line, sql }: ScriptPart, statement = 0): number {
  const found = findStatements(sql);
  return line + (found[statement]?.line ?? found[0]?.line ?? 0);
}

/**
 * Returns the line of the position reported by PostgreSQL, in characters from 1. Otherwise returns the line of the
 * statement, or the start of the part if the statement is not in the file.
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
    return `the connection was lost: run ${command} again, it continues where it was interrupted`;
  }
  if (error instanceof LockTimeout) {
    return `run ${command} again when that transaction has ended: it continues from here`;
  }
  if (isWriteRefused(error)) return readOnlyHint;
  if (sqlState(error) === "42501") return privilegesHint;
  const view = viewInTheWay(error);
  if (view !== null) {
    return `change the view ${view}: drop it, run ${command} again, and create it again as the new columns allow`;
  }
  return begun
    ? `what is done of this file stays; fix this step and run ${command} again: it continues from here`
    : `${nothing}, but ${others}; fix it and run ${command} again`;
}

/** Returns the view that prevents a statement from changing or dropping an object; null if there is none. */
function viewInTheWay(error: unknown): string | null {
  const isDependedOn = ["2BP01", "0A000"].includes(sqlState(error) ?? "");
  if (!isDependedOn || !(error instanceof pg.DatabaseError)) return null;
  const [, view = null] = /\bview (\S+) depends on /.exec(error.detail ?? "") ?? [];
  return view;
}

/** Parts of hints about a file being applied or undone. */
export const phrases: Readonly<
  Record<
    Direction,
    {
      /** The command that continues the work on the file. */
      readonly command: string;
      /** States that no part of the file was applied or undone. */
      readonly nothing: string;
      /** States which files the same run has already completed. */
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

/** A hint for a role without the privileges that a migration needs. */
const privilegesHint =
  "the role in DATABASE_URL must own the tables that are changed, and be allowed to create objects in the database and in its schema public";
